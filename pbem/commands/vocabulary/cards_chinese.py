"""The cards in Chinese: traditional | simplified; printed name first, then variants.

The special animals carry the names of the published Chinese rules. Where Taiwan, Hong Kong and
the mainland name an animal differently, all names are listed.
"""

CARDS = {
    "bronto": "雷龍|雷龙",
    "tyranno": "暴龍|暴龙, 霸王龍|霸王龙",
    "mammoth": "長毛象|猛犸象, 猛獁象|长毛象, 猛獁|猛犸",
    "walrus": "海象",
    "elephant": "大象, 象",
    "hippo": "河馬|河马",
    "rhino": "犀牛",
    "polar-bear": "北極熊|北极熊, 白熊",
    "brown-bear": "棕熊",
    "bison": "野牛, 美洲野牛",
    "turtle": "烏龜|乌龟, 龜|龟, 陸龜|陆龟",
    "snail": "蝸牛|蜗牛",
    "caterpillar": "毛蟲|毛虫, 毛毛蟲|毛毛虫",
    "chameleon": "變色龍|变色龙",
    "toad": "蟾蜍, 癩蛤蟆|癞蛤蟆",
    "sloth": "樹懶|树懒",
    "koala": "無尾熊|考拉, 考拉|无尾熊, 樹熊|树熊",
    "dodo": "渡渡鳥|渡渡鸟",
    "anteater": "食蟻獸|食蚁兽",
    "seal": "海豹",
    "hamster": "倉鼠|仓鼠",
    "mouse": "老鼠, 小鼠",
    "lemming": "旅鼠",
    "squirrel": "松鼠",
    "rabbit": "兔子, 兔, 野兔",
    "flamingo": "紅鶴|火烈鸟, 火烈鳥|红鹤, 火鶴|火鹤",
    "gazelle": "瞪羚",
    "zebra": "斑馬|斑马",
    "ostrich": "鴕鳥|鸵鸟",
    "deer": "鹿",
    "chamois": "臆羚, 岩羚羊, 岩羚",
    "bee": "蜜蜂",
    "cat": "貓|猫, 貓咪|猫咪",
    "dog": "狗, 狗狗",
    "hen": "母雞|母鸡, 雞|鸡",
    "hedgehog": "刺蝟|刺猬",
    "sheep": "綿羊|绵羊, 羊",
    "reindeer": "馴鹿|驯鹿",
    "pig": "豬|猪",
    "donkey": "驢子|驴子, 驢|驴, 毛驢|毛驴",
    "horse": "馬|马, 馬匹|马匹",
    "camel": "駱駝|骆驼",
    "fox": "狐狸",
    "mosquito": "蚊子, 蚊",
    "spider": "蜘蛛",
    "skunk": "臭鼬",
    "chimpanzee": "黑猩猩",
    "dates": "椰棗|椰枣, 棗|枣, 海棗|海枣, 棗子|枣子",
    "grain": "穀物|谷物",
}

SHARED = {
    "熊": ("polar-bear", "brown-bear"),
    "羚羊": ("gazelle", "chamois"),
}

#: Everyday words that begin with the name of a card but do not mean it.
NOT_CARDS = ("馬上", "马上", "羊年", "馬年", "马年", "狗年", "豬年", "猪年", "兔年", "象棋")
