import type { SharingMode } from './gpu/evaluate.ts';
import type { JobView } from './job-view.ts';

/**
 * What a policy may decide. The simulator validates each decision and applies it at once, before it
 * asks for the next, so a policy that yields its decisions sees their effect in the view.
 *
 * - *start*: a queued job takes one slot on each of `gpus`, `minGpus` to `maxGpus` of them; `share`
 *   (one number, or one a GPU) defaults to the share that the job asks for
 * - *preempt*: the job writes a checkpoint (while it holds its GPUs) and goes back to the queue
 * - *migrate*: checkpoint, then restart on `gpus`, which are reserved at once; their number may be
 *   another than before, as for a start
 * - *set-share*: a new MPS share restarts the client, so the job writes a checkpoint and restarts, as
 *   in a migration to the GPUs that it holds
 * - *reject*: a queued job that has never started is turned away for good (admission control);
 *   `reason` is a short text by which such jobs are counted
 * - *set-clock*: locks the core clock, in MHz, one of the type's clocks; takes the transition time
 * - *set-cap*: power limit in watts, within the type's limits
 * - *set-mode*: how an empty GPU will be shared; `slices` partition it under `mig`
 * - *sleep*, *wake*: an empty node is switched off; waking takes the type's wake time
 * - *call-back*: ask the policy again at that time, if nothing happens before
 */
export type Decision =
  | {
      readonly kind: 'start';
      readonly job: JobView;
      readonly gpus: readonly number[];
      readonly share?: number | readonly number[];
    }
  | { readonly kind: 'preempt'; readonly job: JobView }
  | {
      readonly kind: 'migrate';
      readonly job: JobView;
      readonly gpus: readonly number[];
      readonly share?: number | readonly number[];
    }
  | {
      readonly kind: 'set-share';
      readonly job: JobView;
      readonly share: number | readonly number[];
    }
  | { readonly kind: 'reject'; readonly job: JobView; readonly reason: string }
  | { readonly kind: 'set-clock'; readonly gpu: number; readonly clockMhz: number }
  | { readonly kind: 'set-cap'; readonly gpu: number; readonly powerCapW: number }
  | {
      readonly kind: 'set-mode';
      readonly gpu: number;
      readonly mode: SharingMode;
      readonly slices?: readonly number[];
    }
  | { readonly kind: 'sleep'; readonly node: number }
  | { readonly kind: 'wake'; readonly node: number }
  | { readonly kind: 'call-back'; readonly atS: number };
