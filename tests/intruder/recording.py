# SPDX-License-Identifier: BSD-3-Clause
"""Records the loopback interface; needs CAP_NET_RAW.

A message of Acre (seal, header, arguments, payload: acre/fabric/message.hpp) is the end of a
segment or datagram, after the provider's header.
"""
import collections
import socket
import struct
import threading

ETHERNET_BYTES, IP, TCP, UDP, TO_THIS_HOST = 14, 0x0800, 6, 17, 0
SEAL_AND_HEADER = struct.Struct("<Q IBBH II")
LONGEST_HEAD = 256  # of a provider
MOST_KEPT = 20_000  # per connection


class Recording(threading.Thread):
    def __init__(self):
        super().__init__(daemon=True)
        self.said = collections.defaultdict(list)
        self.is_over = False
        self.socket = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(IP))
        self.socket.bind(("lo", 0))
        self.socket.settimeout(0.1)
        self.start()

    def run(self):
        while not self.is_over:
            try:
                frame, address = self.socket.recvfrom(65536)
            except socket.timeout:
                continue
            # Loopback packets appear twice.
            if address[2] == TO_THIS_HOST:
                self.keep(frame[ETHERNET_BYTES:])

    def keep(self, packet):
        protocol, head = packet[9], (packet[0] & 15) * 4
        if protocol not in (TCP, UDP):
            return
        ports = struct.unpack_from("!HH", packet, head)
        end = struct.unpack_from("!H", packet, 2)[0]
        head += (packet[head + 12] >> 4) * 4 if protocol == TCP else 8
        said = self.said[ports]
        if head < end and len(said) < MOST_KEPT:
            said.append(packet[head:end])

    def stop(self):
        self.is_over = True
        self.join()
        self.socket.close()

    def messages(self, ports, ranks):
        found = []
        for pair, said in list(self.said.items()):
            if set(pair) & ports:
                found.append(messages_of(list(said), ranks))
        return found

    def talks(self, ports, ranks):
        found = []
        for (_, to), said in list(self.said.items()):
            if to in ports and said:
                found.append(b"".join([said[0]] + segments_with_messages(said[1:30], ranks)))
        return found


def message_at(segment, offset, ranks):
    if len(segment) < offset + SEAL_AND_HEADER.size:
        return None
    _, payload, _, arguments, _, source, _ = SEAL_AND_HEADER.unpack_from(segment, offset)
    length = SEAL_AND_HEADER.size + 8 * arguments + (payload + 7) // 8 * 8
    fits = source < ranks and arguments <= 8 and len(segment) == offset + length
    return segment[offset:] if fits else None


def offset_of_messages(said, ranks):
    fits = collections.Counter()
    for segment in said[:1000]:
        fits.update(at for at in range(LONGEST_HEAD) if message_at(segment, at, ranks))
    return fits.most_common(1)[0][0] if fits else LONGEST_HEAD


def segments_with_messages(said, ranks):
    offset = offset_of_messages(said, ranks)
    return [segment for segment in said if message_at(segment, offset, ranks)]


def messages_of(said, ranks):
    offset = offset_of_messages(said, ranks)
    return [found for segment in said if (found := message_at(segment, offset, ranks))]


def number_of(message):
    """Low 16 bits of the message number, which ends the seal."""
    return struct.unpack_from("<H", message)[0]
