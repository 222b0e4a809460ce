# A plugin of pytest for tests of a public repository against our adapters, as TAP. The module `swap` beside it puts the adapters
# where the tests import what they are written for, and lists tests by (a part of) their names:
#   imported   is called with each module of tests
#   OWN        what is about the other implementation, not about what it keeps; left out
#   VARIANTS   parameters that are all the same here; left out
#   DIFFERENT  with the reason; they run and must fail
#   touched    where it is there: whether the test that has passed made any of them; else it is left out
# Which names were met is said at the end, for a file of tests: a name that no file has met is out of date (tools/suites/rows.sh).
import re

import pytest
import swap

number, left_out, met = 0, {}, set()


def listed(names, item):
    found = next((name for name in names if re.search(name, f'{item.config.rootpath.name}/{item.nodeid}')), None)
    if found:
        met.add(found)
    return found


def pytest_collection_modifyitems(config, items):
    for module in {item.module for item in items}:
        swap.imported(module)
    kept, dropped = [], []
    for item in items:
        why = 'its own parts' if listed(swap.OWN, item) else 'variants that are the same here' if listed(swap.VARIANTS, item) else None
        (dropped if why else kept).append(item)
        if why:
            left_out[why] = left_out.get(why, 0) + 1
        different = listed(swap.DIFFERENT, item)
        if different:
            item.add_marker(pytest.mark.xfail(strict=True, reason=swap.DIFFERENT[different]))
    config.hook.pytest_deselected(items=dropped)
    items[:] = kept


def say(report, name):
    global number
    number += 1
    print('ok' if report.passed else 'not ok', number, '-', name, flush=True)
    for line in report.longreprtext.splitlines() if not report.passed else ():
        print('#', line)


def pytest_collectreport(report):
    if report.failed:
        say(report, f'{report.nodeid}: it cannot be read')


def pytest_runtest_logreport(report):
    if hasattr(report, 'wasxfail') and report.skipped:
        print(f'# differs: {report.nodeid}\t{report.wasxfail}')
    elif report.when == 'call' and report.passed and not getattr(swap, 'touched', lambda: True)():
        left_out['nothing in them is swapped'] = left_out.get('nothing in them is swapped', 0) + 1
    elif report.when == 'call' or not report.passed:
        say(report, report.nodeid)


def pytest_sessionfinish():
    for why, count in left_out.items():
        print(f'# {count} left out: {why}')
    for kind in swap.OWN, swap.VARIANTS, swap.DIFFERENT:
        for name in kind:
            print(f'# listed: {"met" if name in met else "not met"}\t{name}')
    print(f'1..{number}')
