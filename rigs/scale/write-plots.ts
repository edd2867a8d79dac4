import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import type {Growth} from './measure-growth.js';
import {plotSvg} from './plot.js';

/** Writes a picture for each way to grow. @returns the files' names */
export function writePlots(growths: readonly Growth[], folder: string): string[] {
  mkdirSync(folder, {recursive: true});
  return growths.map(({name, points, curves}) => {
    const file = `growth-${name.replaceAll(/\W+/g, '-')}.svg`;
    const labels = points.map((point) => (point >= 1_000 ? `${point / 1_000}k` : String(point)));
    const panel = (title: string, member: 'micros' | 'p99') => ({
      title,
      points: labels,
      lines: curves.map((curve) => ({name: curve.name, values: curve[member]})),
    });
    writeFileSync(join(folder, file), plotSvg([panel(`processor µs, by ${name}`, 'micros'), panel(`p99 ms, by ${name}`, 'p99')]));
    return file;
  });
}
