//! Skein-MAC.

use hashdyno::{Key, hex};

use super::{by_name, bytes};

/// skein_golden_kat.txt of the submission to the third round, as Bouncy Castle's SkeinMacTest has
/// it.
#[test]
fn skein_mac_gives_the_published_values() {
    let message = bytes(
        "d3090c72167517f7c7ad82a70c2fd3f6443f608301591e598eadb195e8357135ba26fede2ee187417f8160\
         48d00fc23512737a2113709a77e4170c49a94b7fdff45ff579a72287743102e7766c35ca5abc5dfe2f63a1\
         e726ce5fbd2926db03a2",
    );
    let key = bytes(
        "cb41f1706cde09651203c2d0efbaddf847a0d315cb2e53ff8bac41da0002672e920244c66e02d5f0dad3e9\
         4c42bb65f0d14157decf4105ef5609d5b0984457c1935df3061ff06e9f204192ba11e5bb2cac0430c1c370\
         cb3d113fea5ec1021eb875e5946d7a96ac69a1626c6206b7252736f24253c9ee9b85eb852dfc814631346c",
    );
    let cases = [
        (
            0,
            129,
            "9bd43d2a2fcfa92becb9f69faab3936978f1b865b7e44338fc9c8f16aba949ba\
             340291082834a1fc5aa81649e13d50cd98641a1d0883062bfe2c16d1faa7e3aa",
        ),
        (
            1,
            64,
            "f0c0a10f031c8fc69cfabcd54154c318b5d6cd95d06b12cf20264402492211ee\
             010d5cecc2dc37fd772afac0596b2bf71e6020ef2dee7c860628b6e643ed9ff6",
        ),
        (
            8,
            32,
            "0c1f1921253dd8e5c2d4c5f4099f851042d91147892705829161f5fc64d89785\
             226eb6e187068493ee4c78a4b7c0f55a8cbbb1a5982c2daf638fc6a74b16b0d7",
        ),
        (
            16,
            64,
            "478d7b6c0cc6e35d9ebbdedf39128e5a36585db6222891692d1747d401de34ce\
             3db6fcbab6c968b7f2620f4a844a2903b547775579993736d2493a75ff6752a1",
        ),
        (
            24,
            65,
            "13c170bac1de35e5fb843f65fabecf214a54a6e0458a4ff6ea5df91915468f4e\
             fcd371effa8965a9e82c5388d84730490dcf3976af157b8baf550655a5a6ab78",
        ),
        (
            48,
            64,
            "a947812529a72fd3b8967ec391b298bee891babc8487a1ec4ea3d88f6b2b5be0\
             9ac6a780f30f8e8c3bbb4f18bc302a28f3e87d170ba0f858a8fefe3487478cca",
        ),
        (
            64,
            129,
            "7690ba61f10e0bba312980b0212e6a9a51b0e9aadfde7ca535754a706e042335\
             b29172aae29d8bad18efaf92d43e6406f3098e253f41f2931eda5911dc740352",
        ),
        (
            96,
            32,
            "d10e3ba81855ac087fbf5a3bc1f99b27d05f98ba22441138026225d34a418b93\
             fd9e8dfaf5120757451adabe050d0eb59d271b0fe1bbf04badbcf9ba25a8791b",
        ),
    ];
    for (len, key_len, expected) in cases {
        let mac = Key::keyed(by_name("skein512-512"), &key[..key_len]).unwrap();
        assert_eq!(hex(&mac.digest(&message[..len])), expected, "{len} bytes");
    }
}
