import {mkdirSync, writeFileSync} from 'node:fs';
import {join} from 'node:path';
import type {Growth} from './growth.js';
import {plotSvg} from './plot.js';

/** A name of what can grow, as part of the name of a file. */
export function fileName(name: string): string {
  return name.replaceAll(/\W+/g, '-');
}

/** Writes a picture for each way to grow. @returns the files' names */
export function writePlots(growths: readonly Growth[], folder: string): string[] {
  mkdirSync(folder, {recursive: true});
  return growths.map(({name, points, curves}) => {
    const file = `growth-${fileName(name)}.svg`;
    const panel = (title: string, member: 'micros' | 'p99') => ({
      title,
      points,
      lines: curves.map((curve) => ({name: curve.name, values: curve[member]})),
    });
    writeFileSync(join(folder, file), plotSvg([panel(`processor µs, by ${name}`, 'micros'), panel(`p99 ms, by ${name}`, 'p99')]));
    return file;
  });
}
