import {useState} from 'preact/hooks';
import {readFlags} from '../../api/server-facts.js';
import {FilterField} from '../../parts/filter-field.js';
import {RefusalNotice} from '../../parts/notice.js';
import {usePolled} from '../../parts/use-polled.js';
import {PlainTable} from './facts-table.js';

/** They change with a restart only. */
const readMillis = 60_000;

const sources = {given: 'given', configuration: 'configuration file', default: 'default'} as const;

/** What all flags are set to, and by whom. */
export function FlagsTab() {
  const {value: flags = [], error} = usePolled(readFlags, readMillis);
  const [words, setWords] = useState('');
  const [onlySet, setOnlySet] = useState(false);
  const typed = words.trim().toLowerCase();
  const shown = flags.filter(
    ({name, value, source}) => (!onlySet || source !== 'default') && (name.includes(typed) || value.toLowerCase().includes(typed)),
  );
  return (
    <>
      {error !== undefined && <RefusalNotice error={error} />}
      <p>
        <FilterField label="Filter flags" value={words} onInput={setWords} />{' '}
        <label>
          <input type="checkbox" checked={onlySet} onChange={(event) => setOnlySet(event.currentTarget.checked)} /> only those that were set
        </label>{' '}
        <small>{`${shown.length} of ${flags.length}`}</small>
      </p>
      <PlainTable
        columns={['Flag', 'Value', 'Source', 'Plugin']}
        rows={shown.map(({name, value, source, plugin}) => [<code>{`--${name}`}</code>, value, sources[source], plugin])}
      />
    </>
  );
}
