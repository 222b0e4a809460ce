"""Draws `plot.py NAME=FILE…`: the median and the 99th percentile of each file of milliseconds, as SVG,
on a logarithmic scale."""
import math
import sys

LEFT, WIDTH, ROW, TOP = 150, 560, 34, 48


def percentile(values, part):
    return values[min(len(values) - 1, int(part * len(values)))]


def read(argument):
    name, path = argument.split("=", 1)
    values = sorted(float(line) for line in open(path))
    return name, percentile(values, 0.5), percentile(values, 0.99)


def main(arguments):
    rows = [read(argument) for argument in arguments]
    low = math.floor(math.log10(min(row[1] for row in rows)))
    high = math.ceil(math.log10(max(row[2] for row in rows)))
    high = max(high, low + 1)

    def x(value):
        return LEFT + WIDTH * (math.log10(value) - low) / (high - low)

    bottom = TOP + ROW * len(rows)
    out = ['<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" font-family="sans-serif" font-size="13">'
           % (LEFT + WIDTH + 90, bottom + 48),
           '<rect width="100%" height="100%" fill="white"/>',
           '<text x="%d" y="24" font-size="15">Top 10 of a tenant: median (bar) and 99th percentile (line), '
           'milliseconds</text>' % 12]
    for power in range(low, high + 1):
        at = x(10.0 ** power)
        out.append('<line x1="%.1f" y1="%d" x2="%.1f" y2="%d" stroke="#ddd"/>' % (at, TOP - 8, at, bottom))
        out.append('<text x="%.1f" y="%d" text-anchor="middle" fill="#555">%g</text>' % (at, bottom + 18, 10.0 ** power))
    for number, (name, median, worst) in enumerate(rows):
        middle = TOP + ROW * number + ROW / 2
        color = "#1f6feb" if number == 0 else "#8b949e"
        out.append('<text x="%d" y="%.1f" text-anchor="end">%s</text>' % (LEFT - 10, middle + 4, name))
        out.append('<rect x="%d" y="%.1f" width="%.1f" height="16" fill="%s"/>' % (LEFT, middle - 8, x(median) - LEFT, color))
        out.append('<line x1="%.1f" y1="%.1f" x2="%.1f" y2="%.1f" stroke="%s" stroke-width="3"/>'
                   % (x(median), middle, x(worst), middle, color))
        out.append('<text x="%.1f" y="%.1f">%.3g / %.3g</text>' % (x(worst) + 6, middle + 4, median, worst))
    out.append("</svg>")
    print("\n".join(out))


main(sys.argv[1:])
