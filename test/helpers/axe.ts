import {readFileSync} from 'node:fs';
import {createRequire} from 'node:module';
import type {ExecutionContext} from 'ava';
import type {Page} from 'playwright-core';

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly nodes: readonly {readonly html: string; readonly failureSummary: string}[];
  }[];
}

/** Holds what a page shows, frames in it as well, against the rules of axe. */
export async function axe(t: ExecutionContext, page: Page, what: string): Promise<void> {
  const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  // In each frame: those of plugins have no origin, and answer whoever asks.
  for (const frame of page.frames()) await frame.evaluate(`${source}; axe.configure({allowedOrigins: ['<unsafe_all_origins>']})`);
  const {violations} = await page.evaluate<AxeResult>('axe.run()');
  const shown = violations.map(
    ({id, nodes}) => `${id}: ${nodes.map(({html, failureSummary}) => `${html.slice(0, 200)} ${failureSummary}`).join('; ')}`,
  );
  t.deepEqual(shown, [], what);
}
