// Puts the static defaults of the facts at the fields they are about.
import {lookUp, neutralGroup} from './facts.mjs';

/**
 * Sets `default` in the schemas. A rule that leads through other messages is used only where every user of such a message has the
 * same rule: a default belongs to the message, whoever contains it, and so to every message that inlines it. Answers the rules
 * that were left to strategies.
 */
export function applyStaticDefaults(tables, documents, rules) {
  const users = usersOf(tables);
  const inliners = inlinersOf(tables);
  const left = [];
  const pending = new Map();
  for (const rule of rules) {
    const start = tables.has(rule.table) && lookUp(tables, tables.get(rule.table), rule.type, 'messages');
    if (!start) {
      left.push(rule);
      continue;
    }
    const steps = [start];
    let failed = false;
    for (const [index, part] of rule.path.entries()) {
      const at = steps.at(-1);
      const field = fieldOf(tables, at, part.replace('[]', ''));
      if (!field || (index < rule.path.length - 1 && !field.pb)) {
        failed = true;
        break;
      }
      if (index < rule.path.length - 1) {
        const next = lookUp(tables, field.home, field.pb, 'messages');
        if (!next) {
          failed = true;
          break;
        }
        steps.push(next);
      }
    }
    if (failed) {
      left.push(rule);
      continue;
    }
    const last = steps.at(-1);
    const key = `${last.table.key}.${last.name}/${rule.path.at(-1)}=${JSON.stringify(rule.value)}`;
    const entry = pending.get(key) ?? {rules: [], trails: [], last, field: rule.path.at(-1), value: rule.value};
    entry.rules.push(rule);
    entry.trails.push(steps);
    pending.set(key, entry);
  }
  for (const entry of pending.values()) {
    const covered = entry.trails.every((trail) =>
      trail.slice(1).every((step, index) => {
        const owners = new Set(entry.trails.filter((other) => other[index + 1]?.name === step.name).map((other) => nameOf(other[index])));
        return [...(users.get(nameOf(step)) ?? [])].every((user) => owners.has(user));
      }),
    );
    const places = covered ? [entry.last, ...(inliners.get(nameOf(entry.last)) ?? [])] : [];
    const set = places.filter((place) => setDefault(documents, place, entry));
    if (set.length === 0) left.push(...entry.rules);
  }
  return left;
}

function setDefault(documents, {table, name}, {field, value}) {
  const schema = documents.get(table.documentId)?.definitions[name]?.properties?.[field];
  if (!schema) return false;
  const mapped = typeof value === 'string' ? neutralGroup(value) : value;
  // The field extension stays last.
  const {'x-orch-field': number, ...rest} = schema;
  for (const key of Object.keys(schema)) delete schema[key];
  Object.assign(
    schema,
    rest,
    {default: mapped},
    mapped === value ? {} : {'x-orch-name': 'group'},
    number === undefined ? {} : {'x-orch-field': number},
  );
  return true;
}

function nameOf({table, name}) {
  return `${table.key}.${name}`;
}

function fieldOf(tables, {table, name}, member) {
  for (const field of table.messages[name]?.fields ?? []) {
    if (field.name === member) return {...field, home: table};
    if (!field.inline) continue;
    const inlined = lookUp(tables, table, field.inline, 'messages');
    const found = inlined && fieldOf(tables, inlined, member);
    if (found) return found;
  }
  return undefined;
}

/** For each message those whose members its own become, directly or through another one that is inlined. */
function inlinersOf(tables) {
  const inliners = new Map();
  const add = (place, {table, name}) => {
    for (const {inline} of table.messages[name].fields) {
      const inlined = inline && lookUp(tables, table, inline, 'messages');
      if (!inlined) continue;
      const key = nameOf(inlined);
      if (!inliners.has(key)) inliners.set(key, []);
      inliners.get(key).push(place);
      add(place, inlined);
    }
  };
  for (const table of tables.values()) for (const name of Object.keys(table.messages)) add({table, name}, {table, name});
  return inliners;
}

/** For each message the messages that contain it. */
function usersOf(tables) {
  const users = new Map();
  for (const table of tables.values()) {
    for (const [name, message] of Object.entries(table.messages)) {
      for (const field of message.fields) {
        const target = field.pb && lookUp(tables, table, field.pb, 'messages');
        if (!target) continue;
        const key = nameOf(target);
        if (!users.has(key)) users.set(key, new Set());
        users.get(key).add(nameOf({table, name}));
      }
    }
  }
  return users;
}
