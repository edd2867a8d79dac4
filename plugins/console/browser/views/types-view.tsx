import {useEffect, useState} from 'preact/hooks';
import {ownRules, rulesAllow, type RulesStatus} from '../api/access.js';
import {discover, resourceTypes} from '../api/discovery.js';
import {namespace} from '../api/namespaces.js';
import {listHref} from '../api/places.js';
import {pluginViews} from '../api/plugin-views.js';
import type {ResourceType} from '../api/types.js';
import {FilterField} from '../parts/filter-field.js';
import {Scroll} from '../parts/scroll.js';
import {PluginFrame} from './plugin-frame.js';

/** How often types are looked for while they are shown: definitions bring new ones. */
const lookMillis = 15_000;

/** All types that the server has, by group. */
export function TypesView() {
  const [filter, setFilter] = useState('');
  const [rules, setRules] = useState<RulesStatus>();
  useEffect(() => {
    const timer = setInterval(() => void discover().catch(() => undefined), lookMillis);
    return () => clearInterval(timer);
  }, []);
  const chosen = namespace.value;
  useEffect(() => {
    setRules(undefined);
    void ownRules(chosen).then(setRules, () => undefined);
  }, [chosen]);
  const words = filter.trim().toLowerCase();
  const fits = ({resource, kind, group, shortNames}: ResourceType) =>
    [resource, kind.toLowerCase(), group, ...shortNames].some((word) => word.includes(words));
  const groups = Map.groupBy((resourceTypes.value ?? []).filter(fits), ({group}) => group);
  return (
    <>
      <div class="bar">
        <h1>Types</h1>
        <FilterField label="Filter types" value={filter} onInput={setFilter} />
      </div>
      <Scroll label="All types">
        {pluginViews.value
          .filter(({resource}) => resource === undefined)
          .map((view) => (
            <section class="card" key={view.module}>
              <h2>{view.title}</h2>
              <PluginFrame view={view} class="card" />
            </section>
          ))}
        {[...groups].map(([group, types]) => (
          <section class="group">
            <h2>{group === '' ? 'core' : group}</h2>
            <table class="plain">
              <thead>
                <tr>
                  <th scope="col">Resource</th>
                  <th scope="col">Kind</th>
                  <th scope="col">Short names</th>
                  <th scope="col">Version</th>
                  <th scope="col">Scope</th>
                  <th scope="col">Verbs</th>
                </tr>
              </thead>
              <tbody>
                {types.map((type) => (
                  <TypeRow type={type} namespace={chosen} rules={rules} />
                ))}
              </tbody>
            </table>
          </section>
        ))}
        {resourceTypes.value !== undefined && groups.size === 0 && <p>No type has such a name.</p>}
      </Scroll>
    </>
  );
}

interface TypeRowProps {
  readonly type: ResourceType;
  readonly namespace: string;
  readonly rules: RulesStatus | undefined;
}

function TypeRow({type, namespace: chosen, rules}: TypeRowProps) {
  const {group, resource, kind, shortNames, version, namespaced, verbs} = type;
  const isListed = verbs.includes('list');
  // What rules cannot say is not held against the user.
  const isForbidden = rules !== undefined && !rules.incomplete && !rulesAllow(rules, 'list', group, resource);
  return (
    <tr class={isForbidden ? 'dim' : ''}>
      <th scope="row">
        {isListed ? <a href={listHref(type, {namespace: namespaced ? chosen : ''})}>{resource}</a> : resource}
        {isForbidden && isListed && <small> (you may not list these)</small>}
      </th>
      <td>{kind}</td>
      <td>{shortNames.join(', ')}</td>
      <td>{version}</td>
      <td>{namespaced ? 'Namespaced' : 'Cluster'}</td>
      <td>{verbs.join(', ')}</td>
    </tr>
  );
}
