import {parseDocument, stringify, type DocumentOptions, type ParseOptions, type SchemaOptions} from 'yaml';

/** Objects as kubectl reads and writes them: its YAML is 1.1, where `yes` is no text. */
const forms = {version: '1.1', schema: 'yaml-1.1'} as const;

/** What JSON has not: a time, say, stays the text that it is. */
const withoutJson = new Set(['timestamp', 'binary', 'omap', 'pairs', 'set'].map((name) => `tag:yaml.org,2002:${name}`));

/** How texts are read. */
export const readingForms: ParseOptions & DocumentOptions & SchemaOptions = {
  ...forms,
  merge: false,
  customTags: (tags) => tags.filter((tag) => typeof tag === 'string' || !withoutJson.has(tag.tag)),
};

export function yamlText(value: unknown): string {
  return stringify(value, {...forms, lineWidth: 0, aliasDuplicateObjects: false, indentSeq: false});
}

/** A fault at a place of the text. */
export interface TextFault {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/** The value of a text, or what is wrong with it. */
export function readYaml(text: string): {readonly value?: unknown; readonly faults: readonly TextFault[]} {
  const document = parseDocument(text, readingForms);
  const faults = document.errors.map(({pos: [from, to], message}) => ({from, to, text: message.split('\n', 1)[0]!}));
  if (faults.length > 0) return {faults};
  // Aliases that stand for more and more are refused.
  return {value: document.toJS({maxAliasCount: 100}), faults};
}

/** The document with its places. */
export {parseDocument, isMap, isSeq, isScalar, type Node} from 'yaml';
