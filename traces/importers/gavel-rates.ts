/**
 * Steps per second of Gavel's 26 job types alone on a V100, so that its traces can be read without its
 * tables: the entries `null` of `v100` in github.com/stanford-futuredata/gavel (MIT), commit c4fa400,
 * scheduler/oracle_throughputs.json. The Philly traces there count their steps with these.
 */
export const ORACLE_V100: Readonly<Record<string, number>> = {
  A3C: 8.233033211429207,
  CycleGAN: 4.918494739402234,
  'LM (batch size 10)': 143.3605131584025,
  'LM (batch size 20)': 107.9508715706423,
  'LM (batch size 40)': 71.72303675816012,
  'LM (batch size 5)': 167.12285773375763,
  'LM (batch size 80)': 43.90361072741378,
  'Recommendation (batch size 1024)': 0.47997973329981225,
  'Recommendation (batch size 2048)': 0.5675318418131742,
  'Recommendation (batch size 4096)': 0.6244083613498694,
  'Recommendation (batch size 512)': 0.33148208257478157,
  'Recommendation (batch size 8192)': 0.6023546957515021,
  'ResNet-18 (batch size 128)': 30.287504836881368,
  'ResNet-18 (batch size 16)': 77.31737353972872,
  'ResNet-18 (batch size 256)': 16.98737109878475,
  'ResNet-18 (batch size 32)': 65.80540708735272,
  'ResNet-18 (batch size 64)': 48.88418054077558,
  'ResNet-50 (batch size 128)': 2.8459812117650305,
  'ResNet-50 (batch size 16)': 17.37438936466519,
  'ResNet-50 (batch size 32)': 9.920583420101398,
  'ResNet-50 (batch size 64)': 5.4575999796347645,
  'Transformer (batch size 128)': 5.771210833383417,
  'Transformer (batch size 16)': 12.845652425203205,
  'Transformer (batch size 256)': 1.707029875260509,
  'Transformer (batch size 32)': 12.475277737306772,
  'Transformer (batch size 64)': 9.568023720783357,
};

/** The same of scheduler/simulation_throughputs.json, by job type, on 1 and, where it has them, 2, 4 and 8 GPUs. */
export const SIMULATION_V100: Readonly<Record<string, readonly number[]>> = {
  A3C: [7.175767179667988],
  CycleGAN: [4.426088263367452],
  'LM (batch size 10)': [
    81.65163491883021, 163.12902048608936, 121.4776195889045, 615.0934647748222,
  ],
  'LM (batch size 20)': [
    64.74245099960703, 132.17413449742747, 110.99685986392635, 497.2952582330656,
  ],
  'LM (batch size 40)': [
    45.23737155222392, 91.59265730806288, 96.0312451685392, 359.30692492331696,
  ],
  'LM (batch size 5)': [
    109.16661771207029, 185.72383101933428, 126.71571815404346, 698.773292956699,
  ],
  'LM (batch size 80)': [
    28.239955054085122, 58.09153801943523, 74.80729601169598, 231.17619885320647,
  ],
  'Recommendation (batch size 1024)': [13.2825697082565],
  'Recommendation (batch size 2048)': [7.469632060833725],
  'Recommendation (batch size 4096)': [3.9060505302376054],
  'Recommendation (batch size 512)': [23.317634950657975],
  'Recommendation (batch size 8192)': [2.841510364354536],
  'ResNet-18 (batch size 128)': [
    17.994906225052176, 23.985353059276264, 69.95051765177759, 162.09160717942794,
  ],
  'ResNet-18 (batch size 16)': [
    32.353384328946916, 100.14206200421837, 123.85376642692827, 382.5974422686407,
  ],
  'ResNet-18 (batch size 256)': [
    10.300256501360458, 15.882848624471642, 27.7820579015064, 81.5065873273903,
  ],
  'ResNet-18 (batch size 32)': [
    29.947157347732464, 94.24893164660543, 114.73342037584995, 340.0383618985821,
  ],
  'ResNet-18 (batch size 64)': [
    24.093231895382736, 74.13589143268821, 95.58814453205626, 255.82913926317391,
  ],
  'ResNet-50 (batch size 128)': [
    2.4967655780898292, 4.2230145549692715, 7.029294087316617, 10.293183147179176,
  ],
  'ResNet-50 (batch size 16)': [
    11.396129065315943, 13.859757680196113, 23.195585654383645, 27.799094635512898,
  ],
  'ResNet-50 (batch size 32)': [
    7.787264918596293, 10.834571175121209, 13.763229095099536, 24.067423556662327,
  ],
  'ResNet-50 (batch size 64)': [
    4.394774823323071, 7.922054367597505, 9.451949566394442, 17.303172756892167,
  ],
  'Transformer (batch size 128)': [
    5.44610521981264, 10.069238394742342, 14.17451716526748, 30.88352104398441,
  ],
  'Transformer (batch size 16)': [
    11.06408721300405, 14.153819944879553, 20.0849760042163, 71.65168021872898,
  ],
  'Transformer (batch size 256)': [
    1.5951407072133263, 2.8852436298687203, 4.763045770199511, 9.71702368412533,
  ],
  'Transformer (batch size 32)': [
    10.620893339463915, 13.328037548850137, 22.822511223673345, 63.97766004389649,
  ],
  'Transformer (batch size 64)': [
    8.61775899193302, 15.876496488983058, 19.65962221663049, 49.650700211670745,
  ],
};
