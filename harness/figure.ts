import { createRequire } from 'node:module';
import path from 'node:path';
import type { TopLevelSpec } from 'vega-lite';

const FONT = 'DejaVu Sans';

/** Blue, orange, green, ...: tells policies apart for colour-blind readers too (Okabe and Ito). */
export const COLOURS = [
  '#0072B2',
  '#E69F00',
  '#009E73',
  '#D55E00',
  '#56B4E9',
  '#CC79A7',
  '#000000',
  '#999999',
] as const;

/** A Vega-Lite specification without what all figures share. */
export type FigureSpec = TopLevelSpec;

/** A drawn figure. */
export interface Figure {
  readonly svg: string;
  readonly png: Uint8Array;
}

function fontFiles(): string[] {
  const folder = path.join(
    path.dirname(createRequire(import.meta.url).resolve('dejavu-fonts-ttf/package.json')),
    'ttf',
  );
  return ['DejaVuSans.ttf', 'DejaVuSans-Bold.ttf'].map((file) => path.join(folder, file));
}

/**
 * Draws a figure, without a browser: the same bytes wherever it is drawn. The fonts come with the
 * program, because a label without a font is silently left out of the PNG.
 */
export async function drawFigure(spec: FigureSpec): Promise<Figure> {
  // Loaded when first needed: they take longer to load than most commands take to run.
  const [{ Resvg }, vega, { compile }] = await Promise.all([
    import('@resvg/resvg-js'),
    import('vega'),
    import('vega-lite'),
  ]);
  const compiled = compile({
    background: 'white',
    ...spec,
    config: { font: FONT, ...spec.config },
  });
  const view = new vega.View(vega.parse(compiled.spec), { renderer: 'none' });
  const svg = await view.toSVG();
  view.finalize();
  const png = new Resvg(svg, {
    fitTo: { mode: 'zoom', value: 2 },
    font: { fontFiles: fontFiles(), loadSystemFonts: false, defaultFontFamily: FONT },
  })
    .render()
    .asPng();
  return { svg, png };
}
