import {useState} from 'preact/hooks';
import {readPlugins, type PluginFact} from '../../api/server-facts.js';
import {FilterField} from '../../parts/filter-field.js';
import {RefusalNotice} from '../../parts/notice.js';
import {usePolled} from '../../parts/use-polled.js';
import {FactsTable} from './facts-table.js';

/** They change with a restart only. */
const readMillis = 60_000;

/** All plugins: whether they take part, what they contribute, how they are set. */
export function PluginsTab() {
  const {value: plugins = [], error} = usePolled(readPlugins, readMillis);
  const [words, setWords] = useState('');
  const [onlyOn, setOnlyOn] = useState(false);
  const typed = words.trim().toLowerCase();
  const shown = plugins.filter((plugin) => (!onlyOn || plugin.enabled) && hasWords(plugin, typed));
  return (
    <>
      {error !== undefined && <RefusalNotice error={error} />}
      <p>
        <FilterField label="Filter plugins" value={words} onInput={setWords} />{' '}
        <label>
          <input type="checkbox" checked={onlyOn} onChange={(event) => setOnlyOn(event.currentTarget.checked)} /> only those that take part
        </label>{' '}
        <small>{`${shown.length} of ${plugins.length}`}</small>
      </p>
      {shown.map((plugin) => (
        <PluginDetails key={plugin.name} plugin={plugin} />
      ))}
    </>
  );
}

function hasWords({name, contributes, description = ''}: PluginFact, typed: string): boolean {
  return [name, description, ...contributes].some((text) => text.toLowerCase().includes(typed));
}

function PluginDetails({plugin}: {readonly plugin: PluginFact}) {
  const {name, version, enabled, why, origin, description, contributes, permissions, settings} = plugin;
  return (
    <details class="plugin">
      <summary>
        <strong>{name}</strong> {version} <span class={enabled ? 'good' : 'hint'}>{enabled ? 'on' : 'off'}</span>{' '}
        <small>
          {why} · {origin}
        </small>
      </summary>
      {description !== undefined && <p>{description}</p>}
      <FactsTable
        rows={[
          ['Contributes', <Lines lines={contributes} />],
          ['May', <Lines lines={permissions} />],
          ...Object.entries(settings).map(([key, value]) => [key, <code>{settingText(value)}</code>] as const),
        ]}
      />
    </details>
  );
}

function Lines({lines}: {readonly lines: readonly string[]}) {
  if (lines.length === 0) return <>nothing</>;
  return (
    <ul class="lines">
      {lines.map((line) => (
        <li>{line}</li>
      ))}
    </ul>
  );
}

function settingText(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}
