// SHA-256 by the standard's examples, and what tells tenants apart by it.
#include "facts/algebra/sha256.h"

#include <string>

#include <gtest/gtest.h>

namespace memory::facts::algebra {
namespace {

std::string sha256(std::string_view bytes) {
    Sha256 hash;
    hash.add(bytes);
    std::string hex;
    for (const std::uint8_t byte : hash.digest())
        for (const int digit : {byte >> 4, byte & 15})
            hex.push_back("0123456789abcdef"[digit]);
    return hex;
}

TEST(Sha256, IsThatOfTheStandard) {
    EXPECT_EQ(sha256(""), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    EXPECT_EQ(sha256("abc"), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    EXPECT_EQ(sha256("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq"),
              "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
    EXPECT_EQ(sha256("abcdefghbcdefghicdefghijdefghijkefghijklfghijklmghijklmn"
                     "hijklmnoijklmnopjklmnopqklmnopqrlmnopqrsmnopqrstnopqrstu"),
              "cf5b16a778af8380036ce59e7b0492370b249b11e8f07a51afac45037afee9d1");
    EXPECT_EQ(sha256(std::string(1'000'000, 'a')),
              "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, OfWhatIsAddedInPiecesIsThatOfTheWhole) {
    for (std::size_t size = 0; size < 200; ++size) {
        const std::string bytes(size, static_cast<char>(size));
        Sha256 hash;
        hash.add(std::string_view(bytes).substr(0, size / 3));
        hash.add(std::string_view(bytes).substr(size / 3));
        Sha256 whole;
        whole.add(bytes);
        EXPECT_EQ(hash.digest(), whole.digest()) << size;
    }
}

// printf 'default\0alice' | sha256sum. These are in indexes: they never change.
TEST(TenantHash, IsTheSameOnEveryMachine) {
    EXPECT_EQ(tenant_hash("default", "alice"), 0x0b65a2d0d9c66e83U);
    EXPECT_EQ(tenant_hash("default", ""), 0xbb9a03f3423c2a64U);
    EXPECT_EQ(tenant_hash("default", "\u0410\u043b\u0438\u0441\u0430"), 0x7cf9a92407c29355U);
    EXPECT_EQ(tenant_hash(std::string(512, 'n'), std::string(512, 'u')), 0x3ee076193126b414U);
}

TEST(TenantHash, TellsWhereOneNameEnds) {
    EXPECT_NE(tenant_hash("ab", "c"), tenant_hash("a", "bc"));
    EXPECT_NE(tenant_hash("", "default"), tenant_hash("default", ""));
}

} // namespace
} // namespace memory::facts::algebra
