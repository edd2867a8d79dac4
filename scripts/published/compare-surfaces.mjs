// What a published surface promised and the present one does not keep.
import {takeApart} from './schema-fields.mjs';

/**
 * Every resource, field, enumerated value and reserved key that is gone from a version that is still served, each as one line. A version
 * may go, with all that is in it, in the release that its recorded lifetime names.
 *
 * @param recorded the surface as it was published
 * @param present the surface as it is now
 * @param release the present release
 */
export function lostFrom(recorded, present, release) {
  const lost = [];
  const compared = new Set();
  for (const [id, {resources}] of Object.entries(recorded.groupVersions)) {
    for (const [plural, resource] of Object.entries(resources)) {
      if (isOver(resource, release)) continue;
      const now = present.groupVersions[id]?.resources[plural];
      if (now === undefined) lost.push(`${id}: the resource ${plural} is gone`);
      else compareResource(`${id} ${plural}`, resource, now);
    }
  }
  for (const [key, groups] of Object.entries(recorded.keys)) {
    if (Object.hasOwn(present.keys, key)) continue;
    if (groups === '*' || groups.split(' ').some((group) => isServed(group)))
      lost.push(`the key ${key} (${groups === '*' ? 'of the whole platform' : groups}) means nothing any more`);
  }
  return lost;

  /** Whether anything of a group that was published is still to be served. */
  function isServed(group) {
    return Object.entries(recorded.groupVersions).some(
      ([id, {resources}]) => id.startsWith(`${group}/`) && Object.values(resources).some((resource) => !isOver(resource, release)),
    );
  }

  function compareResource(subject, before, now) {
    for (const member of ['kind', 'scope'])
      if (before[member] !== now[member]) lost.push(`${subject}: its ${member} was ${before[member]} and is ${now[member]}`);
    for (const verb of before.verbs.split(' ')) if (!now.verbs.split(' ').includes(verb)) lost.push(`${subject}: the verb ${verb} is gone`);
    compareBodies(subject, before, now);
    for (const [name, subresource] of Object.entries(before.subresources ?? {})) {
      const other = now.subresources?.[name];
      if (other === undefined) lost.push(`${subject}: the subresource ${name} is gone`);
      else compareBodies(`${subject}/${name}`, subresource, other);
      for (const verb of other === undefined ? [] : subresource.verbs.split(' ')) {
        if (!other.verbs.split(' ').includes(verb)) lost.push(`${subject}/${name}: the verb ${verb} is gone`);
      }
    }
  }

  function compareBodies(subject, {body: before}, {body: now}) {
    if (before !== undefined && now !== undefined) compareDefinitions(subject, '', before, now);
    else if (before !== undefined) lost.push(`${subject}: its body is gone`);
  }

  /** Definitions may be renamed and shared: what counts is what can be reached from a resource. */
  function compareDefinitions(subject, path, before, now) {
    const pair = `${before} ${now}`;
    if (compared.has(pair)) return;
    compared.add(pair);
    const [fields, others] = [definition(recorded, before), definition(present, now)];
    for (const [name, type] of Object.entries(fields)) {
      const at = name === '.' ? path : path === '' ? name : `${path}.${name}`;
      compareFields(subject, at, type, others[name]);
    }
  }

  function compareFields(subject, path, type, other) {
    if (other === undefined) return lost.push(`${subject}: the field ${path} is gone`);
    if (type.startsWith('-> ') && other.startsWith('-> ')) return compareDefinitions(subject, path, type.slice(3), other.slice(3));
    const [before, now] = [takeApart(type), takeApart(other)];
    if (before.base !== now.base) return lost.push(`${subject}: the field ${path} was ${before.base} and is ${now.base}`);
    if (now.values === undefined) return undefined;
    if (before.values === undefined)
      return lost.push(`${subject}: the field ${path} took any value and takes ${now.values.join(', ')} only`);
    for (const value of before.values)
      if (!now.values.includes(value)) lost.push(`${subject}: the field ${path} does not take ${value} any more`);
    return undefined;
  }
}

function definition({groupVersions}, ref) {
  const [id, name] = ref.split('#');
  return groupVersions[id]?.definitions[name] ?? {};
}

/** Whether the release is reached in which a resource's version was to go. */
function isOver({lifetime: {removed}}, release) {
  if (removed === undefined) return false;
  const [[major, minor], [presentMajor, presentMinor]] = [removed, release].map((text) => text.split('.').map(Number));
  return major < presentMajor || (major === presentMajor && minor <= presentMinor);
}
