// What changed between two reports of scripts/check-sdk-surface.mjs.

/** `MODULE: NAME` → text of the declaration. */
export function declarationsOf(report) {
  const found = new Map();
  for (const section of report.split(/^# /m).slice(1)) {
    const [module, ...entries] = section.trim().split('\n\n');
    for (const entry of entries) {
      if (entry.startsWith('## ')) continue;
      const [, alias, kind, name] =
        /^(?:([\w$ *]+): )?(?:type only: )?(?:(?:abstract )?(class|interface|type|function|const|enum) ([\w$]+))?/.exec(entry);
      found.set(`${module}: ${kind === undefined ? alias : `${kind} ${name}`}`, entry);
    }
  }
  return found;
}

/** Answers `{breaking, added}`, sentences about what code that was written for `before` finds in `after`. */
export function compareReports(before, after) {
  const [old, now] = [declarationsOf(before), declarationsOf(after)];
  const breaking = [];
  const added = [];
  for (const [name, text] of old) {
    const other = now.get(name);
    if (other === undefined) breaking.push(`${name} is gone`);
    else if (other !== text) compareDeclarations(name, text, other, breaking, added);
  }
  for (const name of now.keys()) if (!old.has(name)) added.push(`${name} is new`);
  return {breaking, added};
}

function compareDeclarations(name, before, after, breaking, added) {
  if (!/: (?:class|interface) /.test(name)) {
    // Overloads may be added.
    const kept = / function /.test(name) && before.split('\n').every((line) => after.split('\n').includes(line));
    if (kept) added.push(`${name} has another form`);
    else breaking.push(`${name} is another`);
    return;
  }
  const [[head, old], [otherHead, now]] = [membersOf(before), membersOf(after)];
  if (head !== otherHead) breaking.push(`${name} is another: ${otherHead}`);
  for (const member of old) if (!now.includes(member)) breaking.push(`${name}: ${firstLine(member)} is gone or another`);
  for (const member of now) {
    if (old.includes(member)) continue;
    // Others may implement an interface: what it asks for besides they do not have.
    const isDemand = / interface /.test(name) && !/^(?:readonly )?[\w$]+\?/.test(member);
    (isDemand ? breaking : added).push(`${name}: ${firstLine(member)} is new`);
  }
}

/** The first line of a declaration, and its members with what is indented below them. */
function membersOf(text) {
  const [head, ...lines] = text.split('\n');
  const members = [];
  for (const line of lines) {
    if (/^ {2}\S/.test(line) && !/^ {2}[}\])]/.test(line)) members.push(line.trim());
    else if (members.length > 0 && line.startsWith('  ')) members.push(`${members.pop()}\n${line.trim()}`);
  }
  return [head, members];
}

const firstLine = (text) => text.split('\n', 1)[0];
