/** Values at each of some points, which stand side by side at the same distance. */
export interface PlotLine {
  readonly name: string;
  readonly values: readonly number[];
}

export interface PlotPanel {
  readonly title: string;
  readonly points: readonly string[];
  readonly lines: readonly PlotLine[];
}

const width = 380;
const height = 240;
const margin = {left: 52, right: 12, top: 34, bottom: 56};
/** Readable for the colour-blind, and on white and on black. */
const colours = ['#0072b2', '#d55e00', '#009e73', '#cc79a7'];

/** A picture with panels side by side. Each has its own scale, which begins with 0. */
export function plotSvg(panels: readonly PlotPanel[]): string {
  const size = `width="${width * panels.length}" height="${height}" viewBox="0 0 ${width * panels.length} ${height}"`;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" ${size} font-family="sans-serif" font-size="11" fill="#666">`,
    ...panels.map((panel, place) => `<g transform="translate(${place * width} 0)">\n${panelSvg(panel)}\n</g>`),
    '</svg>',
    '',
  ].join('\n');
}

function panelSvg({title, points, lines}: PlotPanel): string {
  const top = niceTop(Math.max(...lines.flatMap(({values}) => values)));
  const bottom = height - margin.bottom;
  const x = (place: number) => round(margin.left + (place * (width - margin.left - margin.right)) / Math.max(1, points.length - 1));
  const y = (value: number) => round(bottom - (value / top) * (bottom - margin.top));
  const text = (at: string, content: string, anchor = 'middle') => `<text ${at} text-anchor="${anchor}">${escaped(content)}</text>`;
  return [
    text(`x="${margin.left}" y="16"`, title, 'start'),
    ...[0, top / 2, top].flatMap((value) => [
      `<path d="M${margin.left} ${y(value)}H${width - margin.right}" stroke="#8884"/>`,
      text(`x="${margin.left - 6}" y="${y(value) + 4}"`, String(value), 'end'),
    ]),
    ...points.map((point, place) => text(`x="${x(place)}" y="${bottom + 16}"`, point, place === points.length - 1 ? 'end' : 'middle')),
    ...lines.flatMap(({name, values}, line) => {
      const colour = colours[line % colours.length]!;
      const path = values.map((value, place) => `${place === 0 ? 'M' : 'L'}${x(place)} ${y(value)}`).join('');
      const left = margin.left + (line % 2) * 160;
      const under = bottom + 34 + Math.floor(line / 2) * 14;
      return [
        `<path d="${path}" fill="none" stroke="${colour}" stroke-width="2"/>`,
        ...values.map((value, place) => `<circle cx="${x(place)}" cy="${y(value)}" r="2.5" fill="${colour}"/>`),
        `<path d="M${left} ${under - 4}h14" stroke="${colour}" stroke-width="2"/>`,
        text(`x="${left + 20}" y="${under}"`, name, 'start'),
      ];
    }),
  ].join('\n');
}

/** The least of 1, 2 and 5 times a power of ten that is not below a value. */
export function niceTop(value: number): number {
  if (!(value > 0)) return 1;
  const power = 10 ** Math.floor(Math.log10(value));
  const factor = [1, 2, 5, 10].find((one) => one * power >= value * (1 - 1e-9))!;
  return Number((factor * power).toPrecision(1));
}

const round = (value: number) => Math.round(value * 10) / 10;

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
