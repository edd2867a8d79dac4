import {readFileSync} from 'node:fs';
import {parseSync} from 'oxc-parser';

/** A member of an interface. */
export interface Member {
  readonly name: string;
  readonly optional: boolean;
}

/** The interfaces that a source file exports, with their members sorted by name; index signatures are left out. */
export function interfacesOf(file: string): Map<string, Member[]> {
  const {program} = parseSync(file, readFileSync(file, 'utf8'));
  const found = new Map<string, Member[]>();
  for (const statement of program.body) {
    if (statement.type !== 'ExportNamedDeclaration' || statement.declaration?.type !== 'TSInterfaceDeclaration') continue;
    const members: Member[] = [];
    for (const member of statement.declaration.body.body) {
      if (member.type === 'TSPropertySignature' && member.key.type === 'Identifier')
        members.push({name: member.key.name, optional: member.optional});
    }
    found.set(
      statement.declaration.id.name,
      members.sort((left, right) => (left.name < right.name ? -1 : 1)),
    );
  }
  return found;
}
