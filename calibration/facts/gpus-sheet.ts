import { type GpuFacts, plainGpu } from './gpu-facts.ts';
import { assumed, datasheet, measured } from './sources.ts';

const idleGuess = assumed('no capture; a usual level of its kind');
const clocksGuess = assumed('no capture: a usual range in equal steps');
const boost = (clock: number) =>
  datasheet(`boost clock of ${clock} MHz as generally known, not verified`);
const TURING = { mpsClientLimit: 48, clocks: [300, 15] } as const;

/** Types of which there is no capture: data sheets, and what is not known assumed. */
export const SHEET_GPUS: readonly GpuFacts[] = [
  plainGpu({
    name: 'K80',
    memoryGib: 12,
    memoryBandwidthGBps: 240,
    smCount: 13,
    fp32Tflops: 4.1,
    clocks: [562, 29],
    referenceClockMhz: 823,
    referenceMemoryClockMhz: 2505,
    limitsW: [100, 150, 150],
    idlePowerW: 25,
    mpsClientLimit: 16,
    provenance: {
      '*': datasheet(
        'NVIDIA K80 data sheet, one of the two GPUs of a board, as generally known, not verified',
      ),
      clocksMhz: clocksGuess,
      powerLimitW: assumed('half of the 300 W of the board; lowest a guess'),
      idlePowerW: idleGuess,
    },
  }),
  plainGpu({
    ...TURING,
    name: 'RTX2080Ti',
    memoryGib: 11,
    memoryBandwidthGBps: 616,
    smCount: 68,
    fp32Tflops: 13.4,
    referenceClockMhz: 1545,
    referenceMemoryClockMhz: 7000,
    limitsW: [100, 250, 280],
    idlePowerW: 15,
    provenance: {
      clocksMhz: clocksGuess,
      referenceClockMhz: boost(1545),
      powerLimitW: datasheet('250 W as generally known, not verified; range a guess'),
      idlePowerW: idleGuess,
    },
  }),
  plainGpu({
    ...TURING,
    name: 'RTX6000',
    memoryGib: 24,
    memoryBandwidthGBps: 672,
    smCount: 72,
    fp32Tflops: 16.3,
    referenceClockMhz: 1770,
    referenceMemoryClockMhz: 7000,
    limitsW: [100, 260, 260],
    idlePowerW: 20,
    provenance: {
      '*': datasheet('NVIDIA Quadro RTX 6000 data sheet, as generally known, not verified'),
      clocksMhz: clocksGuess,
      referenceClockMhz: boost(1770),
      powerLimitW: measured('Zeus traces cap a Quadro RTX 6000 from 100 to 260 W'),
      idlePowerW: idleGuess,
    },
  }),
  plainGpu({
    ...TURING,
    name: 'RTX8000',
    memoryGib: 48,
    memoryBandwidthGBps: 672,
    smCount: 72,
    fp32Tflops: 16.3,
    clocks: [300, 15],
    referenceClockMhz: 1710,
    referenceMemoryClockMhz: 6500,
    limitsW: [100, 260, 260],
    idlePowerW: 20,
    provenance: {
      '*': datasheet('NVIDIA Quadro RTX 8000 data sheet, as generally known, not verified'),
      clocksMhz: clocksGuess,
      referenceClockMhz: measured(
        'highest clock of the HKBU profiles (github.com/blackjack2015/NV-DVFS-Benchmark, commit f189504)',
      ),
      referenceMemoryClockMhz: measured(
        'memory clock of the HKBU profiles (github.com/blackjack2015/NV-DVFS-Benchmark, commit f189504)',
      ),
      idlePowerW: idleGuess,
    },
  }),
  plainGpu({
    name: 'L4',
    memoryGib: 24,
    memoryBandwidthGBps: 300,
    smCount: 58,
    fp32Tflops: 30.3,
    clocks: [210, 15],
    referenceClockMhz: 2040,
    referenceMemoryClockMhz: 6251,
    limitsW: [40, 72, 72],
    idlePowerW: 16,
    provenance: {
      clocksMhz: clocksGuess,
      referenceClockMhz: boost(2040),
      powerLimitW: datasheet('72 W as generally known, not verified; lowest a guess'),
      idlePowerW: idleGuess,
    },
  }),
];
