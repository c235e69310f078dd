import type { ComparedPolicy, Comparison } from './comparison.ts';
import { COLOURS, type FigureSpec } from './figure.ts';
import { type DisplayUnit, displayUnit, METRICS, threeDigits } from './metrics.ts';

const PANEL_WIDTH = 300;
const ROW_HEIGHT = 26;

/** A panel: one figure of all policies. */
interface Panel {
  readonly metric: string;
  readonly title: string;
  readonly colour: string;
}

const PANELS: readonly Panel[] = [
  { metric: 'jctMeanS', title: 'mean job completion time', colour: COLOURS[0] },
  { metric: 'energyJ', title: 'energy of all GPUs', colour: COLOURS[3] },
];

function unitOf(comparison: Comparison, metric: string): DisplayUnit {
  const units = METRICS.find(({ name }) => name === metric)?.units ?? [];
  const means = comparison.policies.map(({ figures }) => figures[metric]?.mean ?? 0);
  return displayUnit(units, Math.max(...means));
}

/** A point with its interval, in per cent of change against the reference. */
function row(policy: ComparedPolicy, { metric }: Panel, unit: DisplayUnit, reference: string) {
  const figure = policy.figures[metric];
  const change = figure?.change ?? null;
  const isReference = policy.label === reference;
  const value = isReference ? 0 : change === null ? null : 100 * change.mean;
  const half = 100 * (change?.halfWidth ?? 0);
  return {
    policy: policy.label,
    value,
    low: value === null ? null : value - half,
    high: value === null ? null : value + half,
    mean: `${threeDigits((figure?.mean ?? 0) / unit.size)} ${unit.unit}`,
  };
}

function panelSpec(comparison: Comparison, panel: Panel, first: boolean) {
  const unit = unitOf(comparison, panel.metric);
  const values = comparison.policies.map((p) => row(p, panel, unit, comparison.reference));
  const y = {
    field: 'policy',
    type: 'nominal' as const,
    sort: comparison.policies.map(({ label }) => label),
    title: null,
    axis: first
      ? { labelFontSize: 12, labelLimit: 260, grid: true }
      : { labels: false, ticks: false },
  };
  const x = {
    type: 'quantitative' as const,
    title: `change against ${comparison.reference} (%)`,
    scale: { zero: true },
  };
  return {
    title: { text: panel.title, fontSize: 13 },
    width: PANEL_WIDTH,
    height: ROW_HEIGHT * comparison.policies.length,
    data: { values },
    layer: [
      { mark: { type: 'rule' as const, color: '#666666' }, encoding: { x: { datum: 0 } } },
      {
        mark: { type: 'rule' as const, strokeWidth: 2, color: panel.colour },
        encoding: { y, x: { ...x, field: 'low' }, x2: { field: 'high' } },
      },
      {
        mark: { type: 'point' as const, filled: true, size: 80, opacity: 1, color: panel.colour },
        encoding: { y, x: { ...x, field: 'value' } },
      },
      {
        mark: { type: 'text' as const, align: 'left' as const, dx: 8, fontSize: 12 },
        encoding: { y, x: { value: PANEL_WIDTH }, text: { field: 'mean' } },
      },
    ],
  };
}

/**
 * Time and energy of each policy: its change against the reference, with the interval that is paired
 * by seed, and beside it the mean itself. Left is better.
 */
export function comparisonFigure(comparison: Comparison): FigureSpec {
  const seeds = Math.max(0, ...comparison.policies.map((policy) => policy.seeds.length));
  const interval =
    seeds < 2
      ? 'one seed, no interval'
      : `bars: ${100 * comparison.confidence} % interval, paired over ${seeds} seeds`;
  return {
    title: {
      text: `${comparison.experiment}: time and energy`,
      subtitle: `left is better; beside each point the mean; ${interval}; ${comparison.nature}`,
    },
    hconcat: PANELS.map((panel, i) => panelSpec(comparison, panel, i === 0)),
    spacing: 90,
    padding: { left: 5, top: 5, bottom: 5, right: 60 },
    config: {
      title: { anchor: 'start', fontSize: 15, subtitleFontSize: 12, offset: 12 },
      axis: { grid: true, gridOpacity: 0.4, labelFontSize: 11, titleFontSize: 12 },
      view: { stroke: null },
    },
  };
}
