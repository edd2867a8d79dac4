import type {Task} from '../../sdk/index.js';

/** The metrics of one process in one of the text formats. */
export interface ProcessText {
  /** Value of the label that distinguishes its series. */
  readonly process: string;
  readonly text: string;
}

/**
 * Merges the texts of several processes: each family once, with the series of all processes, each with the label of its process first.
 */
export async function joinTexts(texts: readonly ProcessText[], label: string, task: Pick<Task, 'yieldIfDue'>): Promise<string> {
  const families = new Map<string, {head: string; samples: string[]}>();
  let isOpenMetrics = false;
  for (const {process, text} of texts) {
    const pair = `${label}="${process}"`;
    let family = {head: '', samples: [] as string[]};
    let isNew = false;
    for (const line of text.split('\n')) {
      if (line === '') continue;
      const turn = task.yieldIfDue();
      if (turn) await turn;
      if (line === '# EOF') isOpenMetrics = true;
      else if (line.startsWith('# HELP ')) {
        const name = line.slice(7, line.indexOf(' ', 7));
        const known = families.get(name);
        isNew = known === undefined;
        family = known ?? {head: `${line}\n`, samples: []};
        if (isNew) families.set(name, family);
      } else if (line.startsWith('#')) {
        if (isNew) family.head += `${line}\n`;
      } else family.samples.push(labelled(line, pair));
    }
  }
  const parts = [...families.values()].map(({head, samples}) => `${head}${samples.join('')}`);
  return `${parts.join('')}${isOpenMetrics ? '# EOF\n' : ''}`;
}

/** `name{…} 1` or `name 1` with one more label. */
function labelled(line: string, pair: string): string {
  const brace = line.indexOf('{');
  const space = line.indexOf(' ');
  if (brace === -1 || brace > space) return `${line.slice(0, space)}{${pair}}${line.slice(space)}\n`;
  const separator = line[brace + 1] === '}' ? '' : ',';
  return `${line.slice(0, brace + 1)}${pair}${separator}${line.slice(brace + 1)}\n`;
}
