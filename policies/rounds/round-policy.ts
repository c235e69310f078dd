import type { Decision } from '../../sim/decisions.ts';
import type { JobView } from '../../sim/job-view.ts';
import type { Information, View } from '../../sim/view.ts';
import { spansTypes } from '../placement/placement.ts';
import type { Policy } from '../policy.ts';
import { chooseRound } from './choose.ts';
import type { Allocator, JobCombination, RoundShares } from './job-combinations.ts';
import { availableServers, countOn, holds, placeRound } from './placement.ts';
import { TimeShares } from './time-shares.ts';

export interface RoundOptions {
  readonly name: string;
  readonly information: Information;
  readonly allocator: Allocator;
  /** Length of a round. */
  readonly roundS: number;
  /** Least time from one allocation to the next. */
  readonly resetS: number;
  /** Whether two jobs may be on one GPU: all GPUs are then under MPS. */
  readonly spaceSharing: boolean;
  /** Whether GPUs that would stay idle go to jobs that came after the last allocation. */
  readonly fills: boolean;
}

/** A job of the present round. */
interface Turn {
  readonly combination: JobCombination;
  readonly gpus: readonly number[];
  /** When it got its GPUs in this round; NaN while it waits for them. */
  startS: number;
}

/**
 * Gavel's rounds in the engine: every `roundS` seconds the jobs that are furthest behind their share
 * get the GPUs (see {@link TimeShares}), and those that are left over go to jobs without a share of
 * their type; jobs that get none write checkpoints and go back to the queue. Shares are made anew at
 * the first round after the set of jobs has changed, but not within `resetS` of the last time. A round
 * ends early when all its jobs are done. A gang that is larger than every type, which Gavel does not
 * have, runs over several types and gets the share of its GPUs that every job would get alone.
 *
 * O(GPUs + combinations x log) a round.
 */
export class RoundPolicy implements Policy {
  readonly name: string;
  readonly information: Information;
  readonly mode: 'exclusive' | 'mps';
  readonly #options: RoundOptions;
  #books: TimeShares<JobCombination> | null = null;
  /** Jobs in the system, in order of submission, alone. */
  readonly #alone = new Map<JobView, JobCombination>();
  #pairs: JobCombination[] = [];
  /** Turns of the present round, by job. */
  #turns = new Map<JobView, Turn>();
  /** Jobs that were sent back and still write their checkpoints. */
  readonly #leaving = new Set<JobView>();
  #isChanged = false;
  #allocatedS = -Infinity;
  #roundEndS = -Infinity;

  constructor(options: RoundOptions) {
    this.#options = options;
    this.name = options.name;
    this.information = options.information;
    this.mode = options.spaceSharing ? 'mps' : 'exclusive';
  }

  decide(view: View): Iterable<Decision> {
    this.#note(view);
    if (view.nowS >= this.#roundEndS || this.#turns.size === 0) return this.#startRound(view);
    return this.#startTurns(view);
  }

  /** Takes in who has come and who has gone. */
  #note(view: View): void {
    this.#books ??= new TimeShares(view.cluster.types.length, this.#options.roundS);
    const books = this.#books;
    for (const job of view.left) {
      this.#leaving.delete(job);
      const turn = this.#turns.get(job);
      if (turn !== undefined && !Number.isNaN(turn.startS)) this.#endTurn(view, job, turn);
      if (job.state === 'queued') continue;
      const alone = this.#alone.get(job);
      if (alone !== undefined) books.remove(alone);
      this.#alone.delete(job);
      this.#turns.delete(job);
      this.#isChanged = true;
    }
    for (const job of view.entered) {
      // A job that was sent back and started again may be done by now.
      if (this.#alone.has(job) || job.state === 'done' || job.state === 'failed') continue;
      const spans = spansTypes(view.cluster, job) ? job.types : null;
      const alone: JobCombination = { gang: job.gpuCount, jobs: [job], spans };
      this.#alone.set(job, alone);
      books.add(alone);
      this.#isChanged = true;
    }
  }

  /** Books the time of a turn that is over; a partner goes on alone. */
  #endTurn(view: View, job: JobView, turn: Turn): void {
    this.#turns.delete(job);
    this.#book(view, turn);
    for (const partner of turn.combination.jobs) {
      const other = this.#turns.get(partner);
      if (partner === job || other === undefined) continue;
      const combination = this.#alone.get(partner) as JobCombination;
      const startS = Number.isNaN(other.startS) ? other.startS : view.nowS;
      this.#turns.set(partner, { combination, gpus: other.gpus, startS });
    }
  }

  #book(view: View, { combination, gpus, startS }: Turn): void {
    if (Number.isNaN(startS)) return;
    const type = view.cluster.typeOf(gpus[0] as number);
    this.#books?.receive(combination, type, view.nowS - startS);
  }

  #closeRound(view: View): void {
    const booked = new Set<JobCombination>();
    for (const turn of this.#turns.values()) {
      if (booked.has(turn.combination) || Number.isNaN(turn.startS)) continue;
      booked.add(turn.combination);
      this.#book(view, turn);
    }
    this.#turns = new Map();
  }

  *#startRound(view: View): Generator<Decision> {
    this.#closeRound(view);
    if (this.#alone.size === 0) return;
    const { roundS } = this.#options;
    const books = this.#books as TimeShares<JobCombination>;
    const servers = availableServers(view.cluster);
    const gpus = servers.map((nodes) => nodes.reduce((sum, node) => sum + node.length, 0));
    this.#allocate(view, gpus);
    const chosen = chooseRound<JobCombination>({
      types: gpus.map((_, type) => type),
      gpus,
      order: (type) => books.order(type),
      members: ({ jobs }) => jobs,
      spans: ({ spans }) => spans,
      held: ({ jobs }, type) => countOn(view.cluster, jobs[0] as JobView, type),
      mayRun: (combination, type) =>
        canRun(combination, type) && books.priority(combination, type) > 0,
      fills: (combination, type) => canRun(combination, type) && this.#fills(combination),
    });
    const placed = placeRound(view.cluster, servers, chosen);
    for (const [combination, wanted] of placed) {
      for (const job of combination.jobs) {
        const startS = holds(job, wanted) && !this.#leaving.has(job) ? view.nowS : NaN;
        this.#turns.set(job, { combination, gpus: wanted, startS });
      }
    }
    this.#roundEndS = view.nowS + roundS;
    yield* this.#sendBack(view);
    yield* this.#startTurns(view);
    yield { kind: 'call-back', atS: this.#roundEndS };
  }

  /** Whether GPUs that nobody with a share of their type can use may go to a job. */
  #fills(combination: JobCombination): boolean {
    if (combination.jobs.length > 1) return false;
    return this.#options.fills || this.#books?.hasShare(combination) === true;
  }

  /** Sends back the jobs that hold GPUs and do not go on with them. */
  *#sendBack(view: View): Generator<Decision> {
    for (const job of view.active) {
      const turn = this.#turns.get(job);
      if (this.#leaving.has(job) || (turn !== undefined && !Number.isNaN(turn.startS))) continue;
      this.#leaving.add(job);
      yield { kind: 'preempt', job };
    }
  }

  /** Starts the jobs of the round whose GPUs have become free. */
  *#startTurns(view: View): Generator<Decision> {
    for (const [job, turn] of this.#turns) {
      if (!Number.isNaN(turn.startS) || job.state !== 'queued') continue;
      const { gpus, combination } = turn;
      if (!gpus.every((gpu) => this.#isOpen(view, gpu, combination))) continue;
      turn.startS = view.nowS;
      yield this.#options.spaceSharing
        ? { kind: 'start', job, gpus, share: 1 }
        : { kind: 'start', job, gpus };
    }
  }

  /** Whether a GPU works and is held by nobody but the partner. */
  #isOpen({ cluster }: View, gpu: number, { jobs }: JobCombination): boolean {
    if (!cluster.isAvailable(gpu)) return false;
    const residents = cluster.residents[gpu] as readonly number[];
    return residents.every((resident) => jobs.some((job) => job.index === resident));
  }

  #allocate(view: View, gpus: readonly number[]): void {
    const { allocator, resetS } = this.#options;
    if (!this.#isChanged || view.nowS - this.#allocatedS < resetS) return;
    const books = this.#books as TimeShares<JobCombination>;
    books.reset(this.#allocatedS === -Infinity ? 0 : view.nowS - this.#allocatedS);
    this.#allocatedS = view.nowS;
    this.#isChanged = false;
    const inOrder = [...this.#alone.values()];
    const jobs = inOrder.flatMap((each) => (each.spans === null ? each.jobs : []));
    const shares = allocator.allocate({ nowS: view.nowS, gpus, jobs });
    this.#setShares(shares, gpus);
  }

  #setShares({ alone, together }: RoundShares, gpus: readonly number[]): void {
    const books = this.#books as TimeShares<JobCombination>;
    for (const pair of this.#pairs) books.remove(pair);
    const shareOf = new Map<JobCombination, ArrayLike<number>>();
    this.#pairs = together.map(({ jobs, shares }) => {
      const pair: JobCombination = { gang: jobs[0].gpuCount, jobs, spans: null };
      books.add(pair);
      shareOf.set(pair, shares);
      return pair;
    });
    const jobs = this.#alone.size;
    books.setShares((combination) => {
      const { gang, spans } = combination;
      const [job] = combination.jobs;
      if (spans === null) return shareOf.get(combination) ?? alone.get(job as JobView) ?? null;
      const all = spans.reduce((sum, type) => sum + (gpus[type] as number), 0);
      return gpus.map((_, type) => (type === spans[0] ? Math.min(1, all / jobs / gang) : 0));
    });
  }
}

function canRun({ jobs }: JobCombination, type: number): boolean {
  return jobs.every((job) => job.types.includes(type));
}
