"""Vectors of words: the mean of a text's word vectors, a weak model for meanings."""
import gzip
import math
import re

DIMENSIONS = 128


def unit(vector):
    length = math.sqrt(sum(x * x for x in vector)) or 1
    return [x / length for x in vector]


class WordVectors:
    def __init__(self, data):
        self.words = {}
        with gzip.open(f"{data}/vectors_en_128.txt.gz", "rt", encoding="utf-8") as lines:
            for line in lines:
                word, count, *values = line.split()
                self.words[word] = 1 / (1 + int(count) / 5000), [float(value) for value in values]

    def mean(self, text):
        """Rare words count for more; None for a text without known words."""
        total = [0.0] * DIMENSIONS
        for word in re.findall(r"\w+", text.lower()):
            weight, vector = self.words.get(word, (0, None))
            if vector:
                total = [a + weight * b for a, b in zip(total, vector)]
        return unit(total) if any(total) else None
