import type { Decision } from '../sim/decisions.ts';
import type { JobView } from '../sim/job-view.ts';
import type { Information, View } from '../sim/view.ts';
import { fixedClock } from './clocks/fixed.ts';
import {
  DURATION_OPTION,
  durationInformation,
  PLACEMENT_OPTIONS,
  typeOrder,
} from './common-options.ts';
import { expectedService, shortestService } from './order/qssf.ts';
import type { Placement } from './placement/placement.ts';
import { wholeNodes } from './placement/whole-nodes.ts';
import type { OptionValues, Policy, PolicyContext, PolicyDefinition } from './policy.ts';
import { ClassQueue } from './queue/class-queue.ts';
import { LoneJobs } from './sharing/lone-jobs.ts';
import { PairScores } from './sharing/pair-scores.ts';
import { NOTHING, Starter } from './walk/starter.ts';

/**
 * Lucid: in order of expected service, skipping; a job joins the first running job that it may join, on
 * exactly its GPUs and whether or not others are free, else it is placed. Nothing is preempted.
 *
 * O(kinds of waiting jobs x kinds of running jobs + started jobs x log jobs) an ask.
 */
class Lucid implements Policy {
  readonly name = 'lucid';
  readonly information: Information;
  readonly mode: 'mps' | 'time-slice';
  readonly #queue = new ClassQueue(shortestService(), 'company');
  readonly #starter: Starter;
  readonly #placement: Placement;
  readonly #running: LoneJobs;

  constructor(options: OptionValues, context: PolicyContext) {
    this.information = durationInformation(options);
    this.mode = options.mode === 'time-slice' ? 'time-slice' : 'mps';
    const scores = new PairScores(context.predictor, context.profiles, this.mode);
    this.#running = new LoneJobs((job, type) => ({
      gpuCount: job.gpuCount,
      memory: job.memoryGib(type),
      score: scores.score(job.workload, type),
      priority: expectedService(job),
    }));
    this.#placement = wholeNodes(typeOrder(options, context));
    const clock = Number(options.clock);
    this.#starter = new Starter(this.#placement, null, clock === 1 ? null : fixedClock(clock));
  }

  decide(view: View): Iterable<Decision> {
    for (const job of view.left) this.#running.left(view, job);
    for (const job of view.entered) if (job.state === 'queued') this.#queue.enter(job);
    return view.queue.size === 0 ? NOTHING : this.#walk(view);
  }

  *#walk(view: View): Generator<Decision> {
    const queue = this.#queue;
    queue.open(Infinity);
    for (let job: JobView | null = queue.first; job !== null; job = queue.first) {
      const host = this.#running.hostFor(view, job);
      const gpus = host?.gpus ?? this.#placement.place(view.cluster, job);
      if (gpus === null) {
        // Those behind it in its class expect more service: they may join no more jobs than it may.
        queue.dropClass();
        continue;
      }
      queue.take();
      yield* this.#starter.start(view, job, gpus, 1);
      this.#running.started(view, job);
    }
  }
}

/** Registry entry of {@link Lucid}. */
export const lucidDefinition: PolicyDefinition = {
  name: 'lucid',
  title:
    'smallest expected duration x GPUs first; two jobs of one gang size share GPUs where their scores allow',
  source: 'Hu et al., Lucid, ASPLOS 2023; its simulator, policy/lucid.py and analyzer/analyzer.py',
  faithfulness: 'port',
  checkedBy:
    'the same rules in a replay of its simulator, equal to its recorded schedule (toy10); hand-made schedules',
  duration: 'oracle',
  profile: 'pairs',
  options: [
    {
      name: 'mode',
      default: 'mps',
      choices: ['mps', 'time-slice'],
      description: 'how two jobs share their GPUs; under mps each may use the whole GPU',
      source: 'assumed; Lucid measured plain co-location without thread limits',
    },
    DURATION_OPTION,
    ...PLACEMENT_OPTIONS.filter(({ name }) => name !== 'strict'),
  ],
  create: (options, context) => new Lucid(options, context),
};
