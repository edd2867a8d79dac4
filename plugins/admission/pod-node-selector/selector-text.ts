import {labelValueFaults, qualifiedNameFaults} from '../../../sdk/index.js';

export type Labels = Readonly<Record<string, string>>;

/**
 * Reads `a=b,c=d`; empty text has no labels.
 *
 * @throws Error that says what is wrong
 */
export function parseNodeSelector(text: string): Labels {
  const labels = new Map<string, string>();
  for (const part of text === '' ? [] : text.split(',')) {
    const [key = '', value, ...rest] = part.split('=').map((word) => word.trim());
    if (value === undefined || rest.length > 0) throw new Error(`invalid selector: ${JSON.stringify(part)} is not KEY=VALUE`);
    const [fault] = [...qualifiedNameFaults(key), ...labelValueFaults(value)];
    if (fault !== undefined) throw new Error(`invalid selector: ${JSON.stringify(part)}: ${fault}`);
    labels.set(key, value);
  }
  return Object.fromEntries(labels);
}
