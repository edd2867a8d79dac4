/** Values at each of some points; undefined where there is none. */
export interface PlotLine {
  readonly name: string;
  readonly values: readonly (number | undefined)[];
}

export interface PlotPanel {
  readonly title: string;
  /** Numbers from 0 on, the least first: each ten times stands as far from the last as any other. */
  readonly points: readonly number[];
  readonly lines: readonly PlotLine[];
}

const width = 380;
const margin = {left: 52, right: 16, top: 34, bottom: 30};
const plotHeight = 150;
const legend = {line: 14, columns: 2};
/** Readable for the colour-blind, and on white and on black. */
const colours = ['#0072b2', '#d55e00', '#009e73', '#cc79a7', '#e69f00', '#56b4e9'];
/** Values that differ by more times have a scale on which each ten times is as high as any other: the least would lie on the ground. */
const linearUpTo = 20;

/** A picture with panels side by side, each with a scale of its own. Lines without values are left out. */
export function plotSvg(panels: readonly PlotPanel[]): string {
  const rows = Math.max(...panels.map(({lines}) => Math.ceil(lines.filter(isShown).length / legend.columns)));
  const [all, height] = [width * panels.length, margin.top + plotHeight + margin.bottom + rows * legend.line];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${all}" height="${height}" viewBox="0 0 ${all} ${height}" font-family="sans-serif" font-size="11" fill="#666">`,
    ...panels.map((panel, place) => `<g transform="translate(${place * width} 0)">\n${panelSvg(panel)}\n</g>`),
    '</svg>',
    '',
  ].join('\n');
}

function panelSvg({title, points, lines}: PlotPanel): string {
  const values = lines.flatMap((line) => line.values.filter((value) => value !== undefined));
  const {ticks, height: heightOf} = scaleOf(values);
  const bottom = margin.top + plotHeight;
  const places = placesOf(points);
  const x = (place: number) => round(margin.left + places[place]! * (width - margin.left - margin.right));
  const y = (value: number) => round(bottom - heightOf(value) * plotHeight);
  const text = (at: string, content: string, anchor = 'middle') => `<text ${at} text-anchor="${anchor}">${escaped(content)}</text>`;
  return [
    text(`x="${margin.left}" y="16"`, title, 'start'),
    ...ticks.flatMap((value) => [
      `<path d="M${margin.left} ${y(value)}H${width - margin.right}" stroke="#8884"/>`,
      text(`x="${margin.left - 6}" y="${y(value) + 4}"`, shortNumber(value), 'end'),
    ]),
    ...points.map((point, place) => text(`x="${x(place)}" y="${bottom + 16}"`, shortNumber(point))),
    ...lines.filter(isShown).flatMap((shown, line) => {
      const {name, values: own} = shown;
      // By its place among all lines: the same in each panel.
      const colour = colours[lines.indexOf(shown) % colours.length]!;
      const dots = own.flatMap((value, place) => (value === undefined ? [] : [[x(place), y(value)] as const]));
      const left = margin.left + (line % legend.columns) * 160;
      const under = bottom + margin.bottom + 4 + Math.floor(line / legend.columns) * legend.line;
      return [
        `<path d="${dots.map((dot, place) => `${place === 0 ? 'M' : 'L'}${dot.join(' ')}`).join('')}" fill="none" stroke="${colour}" stroke-width="2"/>`,
        ...dots.map(([cx, cy]) => `<circle cx="${cx}" cy="${cy}" r="2.5" fill="${colour}"/>`),
        `<path d="M${left} ${under - 4}h14" stroke="${colour}" stroke-width="2"/>`,
        text(`x="${left + 20}" y="${under}"`, name, 'start'),
      ];
    }),
  ].join('\n');
}

const isShown = ({values}: PlotLine) => values.some((value) => value !== undefined);

/** Where points stand, from 0 to 1. None at all stands as far below the least other as half of ten times. */
export function placesOf(points: readonly number[]): number[] {
  const least = Math.min(...points.filter((point) => point > 0));
  const logs = points.map((point) => Math.log10(point > 0 ? point : least) - (point > 0 ? 0 : 0.5));
  const [first, span] = [logs[0]!, logs.at(-1)! - logs[0]!];
  return logs.map((log) => (span > 0 ? (log - first) / span : 0));
}

/** Where a scale has its lines, and how high a value is on it, from 0 to 1: from 0 to a round number, or, for values that differ much, by powers of ten. */
export function scaleOf(values: readonly number[]): {readonly ticks: readonly number[]; readonly height: (value: number) => number} {
  const [least, most] = [Math.min(...values), Math.max(...values)];
  if (!(least > 0) || most <= least * linearUpTo) {
    const top = niceTop(most);
    return {ticks: [0, top / 2, top], height: (value) => value / top};
  }
  const [low, high] = [Math.floor(Math.log10(least)), Math.ceil(Math.log10(most))];
  return {
    ticks: Array.from({length: high - low + 1}, (_, step) => Number((10 ** (low + step)).toPrecision(1))),
    height: (value) => (Math.log10(value) - low) / (high - low),
  };
}

/** The least of 1, 2 and 5 times a power of ten that is not below a value. */
export function niceTop(value: number): number {
  if (!(value > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  const factor = [1, 2, 5, 10].find((one) => one * power >= value * (1 - 1e-9))!;
  return Number((factor * power).toPrecision(1));
}

const round = (value: number) => Math.round(value * 10) / 10;

function shortNumber(value: number): string {
  if (value >= 1_000_000) return `${value / 1_000_000}M`;
  return value >= 1_000 ? `${value / 1_000}k` : String(value);
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
