import {useRef, useState} from 'preact/hooks';
import {resourceTypes} from '../api/discovery.js';
import {goTo, hrefOf} from '../api/location.js';
import {listHref} from '../api/places.js';
import {namespace} from '../api/namespaces.js';
import {Dialog} from './dialog.js';

interface Entry {
  readonly title: string;
  readonly detail: string;
  /** Lower case, what is typed is looked for in it. */
  readonly words: readonly string[];
  readonly href: string;
}

/** Most entries that are shown. */
const mostShown = 12;

function entries(): readonly Entry[] {
  const views = [
    ['Types', 'all types that the server has', 'types'],
    ['Server', 'version, health, curves, flags', 'server'],
    ['Access', 'who may do what', 'access'],
    ['Cluster', 'nodes, pods, rollouts, faults', 'cluster'],
    ['Why', 'why a request was refused', 'why'],
    ['Playground', 'expressions, rules and policies on an object', 'playground'],
  ] as const;
  return [
    ...views.map(([title, detail, part]) => ({title, detail, words: [part], href: hrefOf([part], {namespace: namespace.value})})),
    ...(resourceTypes.value ?? []).map(({group, resource, kind, shortNames, version}) => ({
      title: resource,
      detail: `${kind} · ${group === '' ? version : `${group}/${version}`}`,
      words: [resource, kind.toLowerCase(), ...shortNames, group],
      href: listHref({group, resource}, {namespace: namespace.value}),
    })),
  ];
}

/** How well an entry fits, less is better; undefined if it does not. */
function rank({words}: Entry, typed: string): number | undefined {
  let best: number | undefined;
  for (const [index, word] of words.entries()) {
    const at = word.indexOf(typed);
    if (at < 0) continue;
    const found = (word === typed ? 0 : at === 0 ? 10 : 20) + index + word.length / 100;
    if (best === undefined || found < best) best = found;
  }
  return best;
}

/** Leads to any type or view by a few letters. */
export function Palette({onClose}: {readonly onClose: () => void}) {
  const [typed, setTyped] = useState('');
  const [chosen, setChosen] = useState(0);
  const list = useRef<HTMLUListElement>(null);
  const found = entries()
    .map((entry) => ({entry, rank: rank(entry, typed.trim().toLowerCase())}))
    .filter((item): item is {entry: Entry; rank: number} => item.rank !== undefined)
    .sort((left, right) => left.rank - right.rank)
    .slice(0, mostShown)
    .map(({entry}) => entry);
  const open = (entry: Entry | undefined) => {
    if (!entry) return;
    onClose();
    goTo(entry.href);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
    if (step !== 0) setChosen(Math.min(Math.max(chosen + step, 0), found.length - 1));
    else if (event.key === 'Enter') open(found[chosen]);
    else return;
    event.preventDefault();
  };
  return (
    <Dialog title="Go to" onClose={onClose}>
      <input
        class="palette"
        role="combobox"
        aria-label="Type or view"
        aria-expanded="true"
        aria-controls="palette-entries"
        aria-activedescendant={found.length > 0 ? `palette-${chosen}` : undefined}
        aria-autocomplete="list"
        autoFocus
        spellcheck={false}
        placeholder="pods, deploy, server …"
        value={typed}
        onInput={(event) => {
          setTyped(event.currentTarget.value);
          setChosen(0);
        }}
        onKeyDown={onKeyDown}
      />
      <ul class="palette" id="palette-entries" role="listbox" aria-label="Types and views" ref={list}>
        {found.map((entry, index) => (
          <li id={`palette-${index}`} role="option" aria-selected={index === chosen} onClick={() => open(entry)}>
            <span>{entry.title}</span> <small>{entry.detail}</small>
          </li>
        ))}
      </ul>
      {found.length === 0 && <p>Nothing has such a name.</p>}
    </Dialog>
  );
}
