import {useEffect, useMemo} from 'preact/hooks';
import {LiveTable} from '../api/live-table.js';

/** The rows of a list for as long as the component is there. */
export function useLiveTable(path: string, query: Readonly<Record<string, string>> = {}, annotations: readonly string[] = []): LiveTable {
  const table = useMemo(() => new LiveTable(path, query, annotations), [path, JSON.stringify(query)]);
  useEffect(() => {
    table.start();
    return () => table.stop();
  }, [table]);
  return table;
}
