import type {TableRow} from './table-rows.js';

/** Finds rows that have all words of a text in their names, cells or labels; undefined if the text has none. */
export function rowFilter(search: string): ((row: TableRow) => boolean) | undefined {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return undefined;
  return (row) => {
    const text = rowText(row);
    return words.every((word) => text.includes(word));
  };
}

function rowText({namespace, name, cells, labels}: TableRow): string {
  let text = `${namespace} ${name}`;
  for (const cell of cells) text += ` ${cell}`;
  for (const key in labels) text += ` ${key}=${labels[key]}`;
  return text.toLowerCase();
}
