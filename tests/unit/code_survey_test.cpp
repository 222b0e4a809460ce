// What all cosines are like, from estimates and few of the rows, beside what they are.
#include "index/codec/code_survey.h"

#include "rank/cosine.h"

#include <gtest/gtest.h>
#include <random>

namespace {

using namespace memory::codec;

std::pmr::memory_resource *memory() { return std::pmr::get_default_resource(); }

struct Surveyed {
    CosineFigures figures;
    std::size_t read = 0;
};

// Rows of these cosines, whose estimates have a deviation.
Surveyed survey_of(const std::vector<double> &cosines, double deviation, std::mt19937 &random) {
    std::normal_distribution<double> normal;
    CodeSearch search(0, 0, memory());
    for (std::uint32_t row = 0; row < cosines.size(); ++row) {
        const double error =
            deviation * std::sqrt(1 - cosines[row] * cosines[row]) * normal(random);
        search.add({row, 1}, {std::clamp(cosines[row] + error, -1.0, 1.0), deviation});
    }
    CodeSurvey survey(search.estimates(), memory());
    Surveyed found;
    for (const Tid &row : survey.sample()) {
        survey.keep_sampled(cosines[row.block]);
        ++found.read;
    }
    while (const auto row = survey.next_low()) {
        survey.keep_low(cosines[row->block]);
        ++found.read;
    }
    found.figures = survey.figures();
    return found;
}

CosineFigures exact(const std::vector<double> &cosines) {
    CosineFigures all;
    double squares = 0;
    all.lowest = 2;
    for (const double cosine : cosines) {
        if (cosine <= 0)
            continue;
        ++all.count;
        all.mean += cosine;
        squares += cosine * cosine;
        all.lowest = std::min(all.lowest, cosine);
    }
    all.mean /= all.count;
    all.deviation = std::sqrt(squares / all.count - all.mean * all.mean);
    return all;
}

std::vector<double> spread(std::size_t rows, double mean, double deviation, std::mt19937 &random) {
    std::normal_distribution<double> normal(mean, deviation);
    std::vector<double> cosines(rows);
    for (double &cosine : cosines)
        cosine = std::clamp(normal(random), -1.0, 1.0);
    return cosines;
}

// Where no cosine is near 0 estimates alone say it, and the lowest is found.
TEST(CodeSurvey, OfCosinesAboveZeroIsNearlyExact) {
    std::mt19937 random(41);
    for (const double mean : {0.35, 0.6, 0.8}) {
        const std::vector<double> cosines = spread(10000, mean, 0.05, random);
        const auto [figures, read] = survey_of(cosines, 0.027, random);
        const CosineFigures true_ones = exact(cosines);
        EXPECT_EQ(figures.count, true_ones.count);
        EXPECT_NEAR(figures.mean, true_ones.mean, 0.002);
        EXPECT_NEAR(figures.deviation / true_ones.deviation, 1, 0.02);
        EXPECT_NEAR(figures.lowest, true_ones.lowest, 0.01);
        EXPECT_LE(read, CodeSurvey::most_read);
    }
}

TEST(CodeSurvey, FindsALowestThatStandsOut) {
    std::mt19937 random(42);
    std::vector<double> cosines = spread(5000, 0.7, 0.02, random);
    cosines[100] = 0.3;
    cosines[200] = -0.4; // no match
    const auto [figures, read] = survey_of(cosines, 0.01, random);
    EXPECT_EQ(figures.lowest, 0.3);
    EXPECT_EQ(figures.count, 4999);
    EXPECT_LE(read, 4U);
}

// Half of the cosines are 0 or less: a sample says how many.
TEST(CodeSurvey, CountsCosinesAroundZeroByASample) {
    std::mt19937 random(43);
    std::vector<double> cosines = spread(20000, 0, 0.04, random);
    for (std::size_t row = 0; row < cosines.size(); row += 3)
        cosines[row] = 0;
    const auto [figures, read] = survey_of(cosines, 0.027, random);
    const CosineFigures true_ones = exact(cosines);
    EXPECT_NEAR(figures.count / true_ones.count, 1, 0.35);
    EXPECT_NEAR(figures.mean, true_ones.mean, 0.01);
    EXPECT_NEAR(figures.deviation / true_ones.deviation, 1, 0.3);
    EXPECT_LT(figures.lowest, 0.01);
    EXPECT_LE(read, 2 * CodeSurvey::most_read);
}

// Of a hundred sets of rows, by their deviations, errors are as large as they are said to be.
TEST(CodeSurvey, SaysHowFarOffItMayBe) {
    std::mt19937 random(45);
    for (const double mean : {0.0, 0.1, 0.5}) {
        double of_mean = 0;
        double of_deviation = 0;
        constexpr int sets = 100;
        for (int set = 0; set < sets; ++set) {
            const std::vector<double> cosines = spread(3000, mean, 0.07, random);
            const CosineFigures figures = survey_of(cosines, 0.027, random).figures;
            const CosineFigures true_ones = exact(cosines);
            of_mean += std::pow((figures.mean - true_ones.mean) / figures.mean_error, 2) / sets;
            of_deviation +=
                std::pow((figures.deviation - true_ones.deviation) / figures.deviation_error, 2) /
                sets;
            EXPECT_LE(std::abs(figures.count - true_ones.count), 4 * figures.count_error) << mean;
        }
        EXPECT_GT(of_mean, 0.5) << mean;
        EXPECT_LT(of_mean, 2) << mean;
        EXPECT_GT(of_deviation, 0.5) << mean;
        EXPECT_LT(of_deviation, 2) << mean;
    }
}

TEST(CodeSurvey, OfNothingIsNothing) {
    std::mt19937 random(44);
    const auto [figures, read] = survey_of({}, 0.02, random);
    EXPECT_EQ(figures.count, 0);
    EXPECT_EQ(read, 0U);
    EXPECT_EQ(survey_of({-0.9, -0.8}, 0.02, random).figures.count, 0);
}

} // namespace
