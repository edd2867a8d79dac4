import {ownerGraphOf, type OwnerGraph} from '../api/inspection.js';
import type {ApiObject, ResourceType} from '../api/types.js';
import {counted} from '../parts/counted.js';
import {RefusalNotice} from '../parts/notice.js';
import {Scroll} from '../parts/scroll.js';
import {usePolled} from '../parts/use-polled.js';
import {OwnerDrawing} from './owner-drawing.js';

/** Pauses between looks, while the tab is shown. */
const lookMillis = 4000;
/** Types that are named. */
const mostNamed = 12;

/** Who owns the object, and what it owns, of all degrees, as it changes. */
export function OwnersTab({type, object}: {readonly type: ResourceType; readonly object: ApiObject}) {
  const {uid, name, namespace = ''} = object.metadata;
  const {value: graph, error} = usePolled((signal) => ownerGraphOf(type, {namespace, name}, signal), lookMillis, {about: [uid]});
  return (
    <Scroll label="Owners and dependents of the object">
      {error !== undefined && <RefusalNotice error={error} />}
      {graph === undefined && error === undefined && <p role="status">Looking for owners and dependents</p>}
      {graph && (
        <>
          <p>{summaryOf(graph)}</p>
          <OwnerDrawing graph={graph} />
          {graph.incomplete !== '' && <p class="notice">There may be more: {graph.incomplete}.</p>}
          {graph.unlisted.length > 0 && (
            <p class="hint">
              You may not list {graph.unlisted.slice(0, mostNamed).map(typeName).join(', ')}
              {graph.unlisted.length > mostNamed && ` and ${graph.unlisted.length - mostNamed} more types`} here: their objects are not
              looked through.
            </p>
          )}
        </>
      )}
      <p class="hint">
        {type.kind} {name} has the uid <code>{uid}</code>
      </p>
    </Scroll>
  );
}

function summaryOf({start, objects, ownerships}: OwnerGraph): string {
  const owners = ownerships.filter(({dependent}) => dependent === start).length;
  const dependents = ownerships.filter(({owner}) => owner === start).length;
  if (objects.length === 1) return 'Nothing owns it, and it owns nothing.';
  return `It has ${counted(owners, 'owner')} and ${counted(dependents, 'dependent')}; ${counted(objects.length, 'object')} in all.`;
}

/** As kubectl names types: `roles.rbac.authorization.k8s.io` of `roles.v1.rbac.authorization.k8s.io`, `secrets` of `secrets.v1.` */
function typeName(text: string): string {
  const [resource, , ...group] = text.split('.');
  return [resource, ...group].filter(Boolean).join('.');
}
