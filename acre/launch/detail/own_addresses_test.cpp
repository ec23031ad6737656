// SPDX-License-Identifier: BSD-3-Clause
#include <acre/launch/detail/own_addresses.hpp>

#include <acre/base/error.hpp>

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace {

using acre::interface_address;
using acre::parse_ip_address;
using acre::launch::addresses_to_try;

interface_address on(const std::string& interface, const std::string& address) {
  return {.interface = interface, .address = parse_ip_address(address).value()};
}

std::vector<std::string> tried(const std::vector<interface_address>& all,
                               const std::string& wanted = "") {
  std::vector<std::string> texts;
  for (const interface_address& each : addresses_to_try(all, wanted)) {
    texts.push_back(to_string(each.address));
  }
  return texts;
}

using texts = std::vector<std::string>;

TEST(OwnAddresses, AreTriedFromTheBestToTheWorst) {
  interface_address unplugged = on("eth1", "10.2.0.1");
  unplugged.has_carrier = false;
  EXPECT_EQ(tried({on("lo", "127.0.0.1"), on("docker0", "172.17.0.1"), on("eth0", "fd00::1"),
                   unplugged, on("usb0", "169.254.3.4"), on("eth0", "10.1.0.1")}),
            (texts{"10.1.0.1", "fd00::1", "172.17.0.1", "10.2.0.1", "169.254.3.4"}));
}

TEST(OwnAddresses, OfFastInterfacesComeFirstAmongTheirKind) {
  const auto of_speed = [](const char* interface, const char* address, unsigned megabits) {
    interface_address made = on(interface, address);
    made.megabits = megabits;
    return made;
  };
  EXPECT_EQ(tried({of_speed("eth0", "10.1.0.1", 1'000), of_speed("docker0", "172.17.0.1", 10'000),
                   of_speed("ib0", "10.2.0.1", 100'000), of_speed("eth0", "fd00::1", 1'000),
                   on("eth9", "10.3.0.1")}),
            (texts{"10.2.0.1", "10.1.0.1", "10.3.0.1", "fd00::1", "172.17.0.1"}));
}

TEST(OwnAddresses, OfOneLinkOrNotYetSureAreNotTried) {
  interface_address tentative = on("eth0", "fd00::1");
  tentative.may_be_used = false;
  EXPECT_EQ(tried({on("eth0", "fe80::1"), tentative, on("eth0", "fd00::2"), on("lo", "::1")}),
            texts{"fd00::2"});
}

TEST(OwnAddresses, AreThoseThatOneAsksFor) {
  const std::vector<interface_address> all{on("eth0", "10.1.0.1"), on("ib0", "10.2.0.1"),
                                           on("ib0", "fd00::2"), on("eth1", "192.168.4.1")};
  EXPECT_EQ(tried(all, "ib0"), (texts{"10.2.0.1", "fd00::2"}));
  EXPECT_EQ(tried(all, "10.0.0.0/8"), (texts{"10.1.0.1", "10.2.0.1"}));
  EXPECT_EQ(tried(all, "10.2.0.0/16"), texts{"10.2.0.1"});
  EXPECT_EQ(tried(all, "ipv6"), texts{"fd00::2"});
  EXPECT_EQ(tried(all, "192.168.4.1,fd00::/16"), (texts{"192.168.4.1", "fd00::2"}));
  EXPECT_EQ(tried(all, "192.168.0.0/0"), (texts{"10.1.0.1", "10.2.0.1", "192.168.4.1"}));
}

std::string refusal(const std::vector<interface_address>& all, const std::string& wanted) {
  try {
    static_cast<void>(addresses_to_try(all, wanted));
    return {};
  } catch (const acre::error& failure) {
    return failure.what();
  }
}

TEST(OwnAddresses, ThatThereAreAreNamedWhereNoneFits) {
  const std::string said = refusal({on("eth0", "10.1.0.1")}, "eth7");
  EXPECT_NE(said.find("ACRE_INTERFACE=eth7"), std::string::npos) << said;
  EXPECT_NE(said.find("eth0 10.1.0.1"), std::string::npos) << said;
  EXPECT_NE(refusal({on("eth0", "10.1.0.1")}, "10.0.0.0/33").find("is not a network"),
            std::string::npos);
}

TEST(OwnAddresses, MayBeLoopbackWhereTheSettingIsOnlyChecked) {
  const std::vector<interface_address> all{on("lo", "127.0.0.1"), on("eth0", "10.1.0.1")};
  for (const char* each : {"lo", "eth0", "eth7,eth0", "10.1.0.0/16", "ipv4"}) {
    EXPECT_NO_THROW(acre::launch::require_some_interface(all, each)) << each;
  }
  for (const char* each : {"zzz9", "10.2.0.0/16", "10.0.0.0/x", "ipv6", ","}) {
    EXPECT_THROW(acre::launch::require_some_interface(all, each), acre::error) << each;
  }
}

TEST(OwnAddresses, AreFoundOnThisHost) {
  bool has_loopback = false;
  for (const interface_address& each : acre::addresses_of_interfaces()) {
    has_loopback |= is_loopback(each.address);
  }
  EXPECT_TRUE(has_loopback);
}

TEST(IpAddress, IsReadAsItIsWritten) {
  for (const char* text : {"10.0.0.1", "255.1.2.3", "fd00::1", "::1"}) {
    EXPECT_EQ(to_string(parse_ip_address(text).value()), text);
    const acre::socket_address socket(*parse_ip_address(text), 80);
    EXPECT_EQ(to_string(acre::address_of(socket.get()).value()), text);
  }
  EXPECT_FALSE(parse_ip_address("eth0"));
  const acre::socket_address mapped(*parse_ip_address("::ffff:10.1.2.3"), 1);
  EXPECT_EQ(to_string(acre::address_of(mapped.get()).value()), "10.1.2.3");
}

}  // namespace
