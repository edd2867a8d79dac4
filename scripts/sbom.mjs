// Writes the software bill of materials of an installation for production, from the lock file and the list of what the pages of the console carry with them: dist/sbom.cdx.json (CycloneDX 1.5) and
// dist/sbom.spdx.json (SPDX 2.3), in the form of `npm sbom`. That one is not called: older npm does not have it, and with
// `--omit dev` it forgets what is needed for both production and development. Asks no registry; the same lock file gives the same
// documents but for their time, which SOURCE_DATE_EPOCH sets.
//
//   npm run sbom [-- --out DIR]
import './require-node.mjs';
import {createHash} from 'node:crypto';
import {existsSync, mkdirSync, readFileSync, writeFileSync} from 'node:fs';
import {dirname, join, relative, resolve} from 'node:path';
import {fileURLToPath} from 'node:url';
import {parseArgs} from 'node:util';
import {productionPackages} from './production-packages.mjs';

const root = resolve(dirname(fileURLToPath(import.meta.url)), '..');
const {values} = parseArgs({options: {out: {type: 'string', default: 'dist'}}});
const out = resolve(root, values.out);

/** Those whose code is in the pages of the console; the build lists them. */
const listed = join(root, 'dist/plugins/console/server/files/packages.json');
if (!existsSync(listed)) throw new Error('what the pages of the console are made of is not known before the build: npm run build');
const packages = productionPackages(root, new Set(JSON.parse(readFileSync(listed, 'utf8'))));
const [project] = packages;
const epoch = process.env.SOURCE_DATE_EPOCH;
const time = (epoch === undefined ? new Date() : new Date(Number(epoch) * 1000)).toISOString();
/** The same for the same packages. */
const digest = createHash('sha256')
  .update(JSON.stringify(packages.map(({id, integrity}) => [id, integrity])))
  .digest('hex');

/** `sha512-…` of the lock file as hexadecimal digits. */
const sha512 = (integrity) => Buffer.from(integrity.replace(/^sha512-/, ''), 'base64').toString('hex');
const purl = ({name, version}) => `pkg:npm/${name.replace('@', '%40')}@${version}`;

function cycloneDx() {
  const licences = ({licence}) => [/[ ()]/.test(licence) ? {expression: licence} : {license: {id: licence}}];
  const component = (entry) => ({
    'bom-ref': entry.id,
    type: entry === project ? 'application' : 'library',
    name: entry.name,
    version: entry.version,
    scope: entry.optional ? 'optional' : 'required',
    ...(entry.integrity ? {hashes: [{alg: 'SHA-512', content: sha512(entry.integrity)}]} : {}),
    licenses: licences(entry),
    purl: purl(entry),
  });
  const uuid = digest.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, '$1-$2-5$3-8$4-$5');
  return {
    $schema: 'http://cyclonedx.org/schema/bom-1.5.schema.json',
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    serialNumber: `urn:uuid:${uuid}`,
    version: 1,
    metadata: {timestamp: time, lifecycles: [{phase: 'build'}], component: component(project)},
    components: packages.slice(1).map(component),
    dependencies: packages.map(({id, dependencies}) => ({ref: id, dependsOn: dependencies})),
  };
}

function spdx() {
  const idOf = (id) => `SPDXRef-Package-${id.replaceAll(/[^A-Za-z0-9.-]+/g, '-').replace(/^-/, '')}`;
  return {
    spdxVersion: 'SPDX-2.3',
    dataLicense: 'CC0-1.0',
    SPDXID: 'SPDXRef-DOCUMENT',
    name: project.id,
    documentNamespace: `http://spdx.org/spdxdocs/${project.name}-${project.version}-${digest.slice(0, 32)}`,
    creationInfo: {created: time, creators: ['Tool: orch/scripts/sbom.mjs']},
    documentDescribes: [idOf(project.id)],
    packages: packages.map((entry) => ({
      name: entry.name,
      SPDXID: idOf(entry.id),
      versionInfo: entry.version,
      downloadLocation: 'NOASSERTION',
      filesAnalyzed: false,
      licenseDeclared: entry.licence,
      externalRefs: [{referenceCategory: 'PACKAGE-MANAGER', referenceType: 'purl', referenceLocator: purl(entry)}],
      ...(entry.integrity ? {checksums: [{algorithm: 'SHA512', checksumValue: sha512(entry.integrity)}]} : {}),
    })),
    relationships: [
      {spdxElementId: 'SPDXRef-DOCUMENT', relatedSpdxElement: idOf(project.id), relationshipType: 'DESCRIBES'},
      ...packages.flatMap(({id, dependencies}) =>
        dependencies.map((other) => ({spdxElementId: idOf(other), relatedSpdxElement: idOf(id), relationshipType: 'DEPENDENCY_OF'})),
      ),
    ],
  };
}

mkdirSync(out, {recursive: true});
for (const [name, document] of [
  ['sbom.cdx.json', cycloneDx()],
  ['sbom.spdx.json', spdx()],
]) {
  writeFileSync(join(out, name), `${JSON.stringify(document, null, 2)}\n`);
  console.log(`wrote ${relative(root, join(out, name))}`);
}
