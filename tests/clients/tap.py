# TAP for tests of adapters and of the package.
import sys

run, broken = 0, 0


def same(got, expected, name, why=None):
    global run, broken
    good = got == expected
    run, broken = run + 1, broken + (not good)
    print('ok' if good else 'not ok', run, '-', name, flush=True)
    for line in [] if good else (why or f'got {got!r}\nexpected {expected!r}').splitlines():
        print('#', line)


def end():
    print(f'1..{run}')
    sys.exit(1 if broken else 0)
