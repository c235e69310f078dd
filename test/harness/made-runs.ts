import type { ComparedRun } from '../../harness/comparison.ts';
import type { Distribution, Summary } from '../../sim/result.ts';

function spread(mean: number): Distribution {
  return { mean, median: mean / 2, p95: 3 * mean, p99: 4 * mean, max: 5 * mean };
}

/** A summary whose figures follow from three numbers. */
export function madeSummary(jctMeanS: number, energyJ: number, rejected = 0): Summary {
  const done = 100 - rejected;
  return {
    jobs: {
      submitted: 100,
      done,
      failed: 0,
      rejected,
      rejectedByReason: rejected === 0 ? {} : { memory: rejected },
    },
    jctS: spread(jctMeanS),
    queueS: spread(jctMeanS / 4),
    runS: spread(jctMeanS / 2),
    makespanS: 20 * jctMeanS,
    slowdown: spread(1),
    energyJ: {
      total: energyJ,
      running: energyJ,
      contextIdle: 0,
      idle: 0,
      transition: 0,
      host: 0,
      active: energyJ,
      perJobMean: energyJ / done,
    },
    edpJs: energyJ * jctMeanS,
    meanPowerW: energyJ / (20 * jctMeanS),
    gpuUtilisation: 0.5,
    sloViolations: 0,
    fairness: { worstRho: 1, jain: 1 },
    preemptions: 0,
    restarts: 0,
    failures: 0,
    decisions: { count: 100, asked: 200 },
    energyCost: 0,
    carbonGram: 0,
    conservationError: 1e-15,
    pairMeasuredIntervals: 0,
  };
}

/** A finished run with such a summary. */
export function madeRun(
  label: string,
  seed: number,
  jctMeanS: number,
  energyJ: number,
): ComparedRun {
  const summary = madeSummary(jctMeanS, energyJ);
  return { label, seed, id: `${label}${seed}`, directory: `${label}-s${seed}`, summary };
}
