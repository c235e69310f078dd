import type { Provenance } from '../../sim/gpu/profile.ts';

/** Short forms of the kinds of provenance that facts have. */
export const datasheet = (source: string): Provenance => ({ kind: 'datasheet', source });
export const measured = (source: string): Provenance => ({ kind: 'measured', source });
export const assumed = (source: string): Provenance => ({ kind: 'assumed', source });
export const transferred = (source: string): Provenance => ({ kind: 'transferred', source });

/** Sources that are named more than once. */
export const PWR =
  'PWR scheduler power table (github.com/Fr4nz83/PWR-plugin-kubernetes, commit 3bfd53f)';
export const LUCID =
  'Lucid solo profiles (github.com/S-Lab-System-Group/Lucid, commit 63685a3), RTX 3090';
export const MISO =
  'MISO solo profiles (github.com/boringlee24/socc22-miso, commit 39b1ee6), A100-40GB';
export const MURI =
  'Muri job start overheads on one GPU (github.com/Rivendile/Muri, commit 4e69a78)';
