# SPDX-License-Identifier: BSD-3-Clause
"""Rates of container operations, in millions per second."""
import json

from harness import NETWORK, acre, asked_for, note, picture, table, write

TURNS = 3 if asked_for("long") else 2
NETWORK_COLUMN = "2 ranks, TCP (2,000)"


def amount(number):
    return "" if number is None else f"{number:.3g}" if number < 1 else f"{number:.1f}"


def rates_of_runs(measure_once, turns=TURNS):
    runs = [measure_once() for _ in range(turns)]
    return {name: max(each[name] for each in runs)
            for name, rate in runs[0].items() if isinstance(rate, float)}


def container_rates(program, *arguments):
    return {"1 rank" if n == 1 else f"{n} ranks":
            rates_of_runs(lambda n=n: json.loads(acre(n, program, *arguments)[0]))
            for n in (1, 2, 4)}


def network_rates(program):
    return rates_of_runs(lambda: json.loads(acre(2, program, settings=NETWORK)[0]))


def show_rates(name, title, columns, more=None):
    """Table of {column: {operation: M/s}}, and a picture without the columns `more`."""
    operations = list(columns["2 ranks"])
    columns = {**columns, **(more or {})}
    values = {column: [rates.get(operation) for operation in operations]
              for column, rates in columns.items()}
    table((f"{name} (M/s)", *columns),
          [(operation, *(amount(each[i]) for each in values.values()))
           for i, operation in enumerate(operations)])
    picture(name, title, "millions per second, all ranks together", operations,
            {column: each for column, each in values.items() if column not in (more or {})},
            logarithmic=True)


def measure_containers(name, title, calls):
    note(f"{calls} per rank unless stated; best of {TURNS} runs")
    rates = container_rates("bench-" + name)
    rates[NETWORK_COLUMN] = network_rates("bench-" + name)
    show_rates(name, title, rates)
    write(name, rates)
    return rates
