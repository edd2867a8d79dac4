// The benchmark: npm run bench -- --help
import {mkdirSync, writeFileSync} from 'node:fs';
import {cpus, totalmem} from 'node:os';
import {dirname, resolve} from 'node:path';
import {admissionReport} from './admission-report.js';
import {auditReport} from './audit-report.js';
import {boundsReport} from './bounds-report.js';
import {circumstances, comparisonMarkdown} from './comparison-markdown.js';
import {comparisonReport} from './comparison-report.js';
import {MachineSpeed} from './machine-speed.js';
import {measureComparison} from './measure-comparison.js';
import {clusterReport} from './cluster-report.js';
import {controllersReport} from './controllers-report.js';
import {definitionsReport} from './definitions-report.js';
import {madeUpSamples, startFloor, takeSamples, type FloorSamples} from './floor-process.js';
import {writeFigures} from './document-sections.js';
import {fairnessReport} from './fairness-report.js';
import {gcReport} from './gc-report.js';
import {idleReport} from './idle-report.js';
import {measureAdmission, type AdmissionResult} from './measure-admission.js';
import {measureAudit} from './measure-audit.js';
import {measureHooks} from './measure-hooks.js';
import {hooksReport} from './hooks-report.js';
import {measureHttp2} from './measure-http2.js';
import {http2Report} from './http2-report.js';
import {measureReleases} from './measure-releases.js';
import {releasesReport} from './releases-report.js';
import {measureWorkers} from './measure-workers.js';
import {workersReport} from './workers-report.js';
import {measureScrape} from './measure-scrape.js';
import {scrapeReport} from './scrape-report.js';
import {measureBounds} from './measure-bounds.js';
import {measureCluster} from './measure-cluster.js';
import {measureControllers} from './measure-controllers.js';
import {measureDefinitions, type DefinitionsResult} from './measure-definitions.js';
import {fairnessPlan, measureFairness, type FairnessResult} from './measure-fairness.js';
import {measureCollection, type CollectionResult} from './measure-gc.js';
import {measureIdle, type IdleResult} from './measure-idle.js';
import {measureStart} from './measure-start.js';
import {measureSubject, type SubjectResult} from './measure.js';
import {help, isStore, readOptions, type BenchOptions, type SubjectName} from './options.js';
import {startPeer} from './peer-subject.js';
import {middleOf} from './turns.js';
import {references} from './reference.js';
import {subjectReport} from './report.js';
import {startReport} from './start-report.js';
import {startSubject, type Subject} from './subject.js';

const live = process.stderr.isTTY;

function progress(text: string): void {
  process.stderr.write(live ? `\r\u001B[K${text}` : `${text}\n`);
}

function started(name: SubjectName, options: BenchOptions, samples: FloorSamples | undefined): Promise<Subject> {
  if (name === 'floor') return startFloor(samples ?? madeUpSamples());
  return name === 'kube-apiserver' ? startPeer(options.peer!) : startSubject(name, options);
}

async function bench(options: BenchOptions): Promise<SubjectResult[]> {
  const turns: SubjectResult[][] = [];
  let samples: FloorSamples | undefined;
  for (let turn = 1; turn <= options.turns; turn += 1) {
    const results: SubjectResult[] = [];
    for (const name of options.subjects) {
      progress(`${name}: starting${options.turns > 1 ? `, turn ${turn} of ${options.turns}` : ''}`);
      const subject = await started(name, options, samples);
      try {
        const result = await measureSubject(subject, options, progress, async () => {
          if (name !== 'kube-apiserver') samples ??= await takeSamples(subject.targets[0]!, 'bench', 500);
        });
        results.push(result);
      } finally {
        await subject.close();
      }
    }
    turns.push(results);
  }
  return options.subjects.map((_, place) => middleOf(turns.map((results) => results[place]!)));
}

/** Definitions are measured on one server of each store. */
async function benchDefinitions(options: BenchOptions): Promise<DefinitionsResult[]> {
  const results: DefinitionsResult[] = [];
  if (options.definitions === 0 || !options.parts.has('definitions')) return results;
  for (const name of options.subjects) {
    if (isStore(name)) results.push(await measureDefinitions(name, options, progress));
  }
  return results;
}

/** As for definitions. */
async function benchFairness(options: BenchOptions): Promise<FairnessResult[]> {
  const results: FairnessResult[] = [];
  if (!options.parts.has('fairness')) return results;
  for (const name of options.subjects) {
    if (isStore(name)) results.push(await measureFairness(name, fairnessPlan(options), options.redisFsync, progress));
  }
  return results;
}

/** As for definitions. */
async function benchAdmission(options: BenchOptions): Promise<AdmissionResult[]> {
  const results: AdmissionResult[] = [];
  if (!options.parts.has('admission')) return results;
  for (const name of options.subjects) {
    if (isStore(name)) results.push(await measureAdmission(name, options, progress));
  }
  return results;
}

/** As for definitions. */
async function benchCollection(options: BenchOptions): Promise<CollectionResult[]> {
  const results: CollectionResult[] = [];
  if (!options.parts.has('gc')) return results;
  for (const name of options.subjects) {
    if (isStore(name)) results.push(await measureCollection(name, options, progress));
  }
  return results;
}

/** As for definitions; what the memory store has to do, the embedded store has too. */
async function benchIdle(options: BenchOptions): Promise<IdleResult[]> {
  const results: IdleResult[] = [];
  if (!options.parts.has('idle')) return results;
  for (const name of options.subjects) {
    if (name === 'embedded' || name === 'redis') results.push(await measureIdle(name, options.quick, progress));
  }
  return results;
}

async function main(): Promise<void> {
  const options = readOptions(process.argv.slice(2));
  if (!options) {
    console.log(help);
    return;
  }
  const started = performance.now();
  const speed = new MachineSpeed();
  speed.look();
  // First: before anything else has filled the machine's memory.
  const start = options.parts.has('start') ? await measureStart(options.starts, progress) : undefined;
  const where = circumstances(options);
  const comparison = options.parts.has('comparison') ? await measureComparison(options, progress) : undefined;
  const results = options.parts.has('work') ? await bench(options) : [];
  speed.look();
  const definitions = await benchDefinitions(options);
  const fairness = await benchFairness(options);
  const admission = await benchAdmission(options);
  const audit = options.parts.has('audit') && options.subjects.includes('memory') ? await measureAudit(options.quick, progress) : undefined;
  const bounds = options.parts.has('bounds') && options.subjects.includes('memory') ? await measureBounds(options.quick, progress) : [];
  const hooks = options.parts.has('hooks') && options.subjects.includes('memory') ? await measureHooks(options.quick, progress) : [];
  const http2 = options.parts.has('http2') && options.subjects.includes('memory') ? await measureHttp2(options.quick, progress) : undefined;
  const releases =
    options.parts.has('releases') && options.subjects.includes('memory')
      ? await measureReleases(options.quick, options.otherProgram, progress)
      : [];
  const scrape =
    options.parts.has('scrape') && options.subjects.includes('memory') ? await measureScrape(options.quick, progress) : undefined;
  const collection = await benchCollection(options);
  const controllers =
    options.parts.has('controllers') && options.subjects.includes('memory') ? await measureControllers(options.quick, progress) : [];
  const idle = await benchIdle(options);
  const workers =
    options.parts.has('workers') && options.subjects.includes('embedded') ? await measureWorkers(options.quick, progress) : undefined;
  const cluster =
    options.parts.has('cluster') && options.subjects.includes('memory') ? await measureCluster(options.quick, progress) : undefined;
  speed.look();
  if (live) progress('');
  if (start) console.log(`${startReport(start)}\n`);
  if (comparison) {
    console.log(`${comparisonReport(comparison)}\n`);
    writeFigures(options.pages, comparisonMarkdown(comparison, where));
  }
  const floor = results.find((result) => result.subject === 'floor');
  const peer = results.find((result) => result.subject === 'kube-apiserver');
  for (const result of results) console.log(`${subjectReport(result, {floor, peer})}\n`);
  for (const result of definitions) console.log(`${definitionsReport(result)}\n`);
  for (const result of fairness) console.log(`${fairnessReport(result)}\n`);
  if (bounds.length > 0) console.log(`${boundsReport(bounds)}\n`);
  for (const result of admission) console.log(`${admissionReport(result)}\n`);
  for (const result of collection) console.log(`${gcReport(result)}\n`);
  if (controllers.length > 0) console.log(`${controllersReport(controllers)}\n`);
  for (const result of idle) console.log(`${idleReport(result)}\n`);
  if (audit) console.log(`${auditReport(audit)}\n`);
  if (scrape) console.log(`${scrapeReport(scrape)}\n`);
  if (workers) console.log(`${workersReport(workers)}\n`);
  if (cluster) console.log(`${clusterReport(cluster)}\n`);
  if (hooks.length > 0) console.log(`${hooksReport(hooks)}\n`);
  if (http2) console.log(`${http2Report(http2)}\n`);
  if (releases.length > 0) console.log(`${releasesReport(releases)}\n`);
  const seconds = (performance.now() - started) / 1000;
  const json = resolve(options.json);
  mkdirSync(dirname(json), {recursive: true});
  const machine = {
    cpu: cpus()[0]?.model,
    cores: cpus().length,
    memoryMegabytes: Math.round(totalmem() / 2 ** 20),
    node: process.versions.node,
    sameWorkMillis: speed.millis,
  };
  writeFileSync(
    json,
    `${JSON.stringify({date: new Date().toISOString(), machine, options: {...options, parts: [...options.parts]}, references, start, comparison, results, definitions, fairness, bounds, admission, audit, hooks, http2, releases, scrape, collection, controllers, idle, workers, cluster}, undefined, 2)}\n`,
  );
  console.log(speed.report());
  console.log(`${seconds.toFixed(0)} s in all; figures in ${options.json}`);
  const failed =
    (comparison?.rows.some(({cells}) =>
      cells.some((cell, place) => comparison.subjects[place] !== 'kube-apiserver' && (cell?.failures ?? 0) > 0),
    ) ??
      false) ||
    // What another server loses is shown, and no fault of this one.
    results.some(({subject, works}) => subject !== 'kube-apiserver' && works.some(({failures}) => failures > 0)) ||
    definitions.some(({created, probed}) => created.failures + probed.failures > 0) ||
    fairness.some(({cases}) => cases.some(({failures}) => failures > 0)) ||
    collection.some(({cases}) => cases.some(({probed}) => probed.failures > 0)) ||
    bounds.some(({failures}) => failures > 0) ||
    hooks.some(({failures}) => failures > 0) ||
    (http2 !== undefined && http2.processor.some(({failures}) => failures > 0)) ||
    releases.some(({failures}) => failures > 0) ||
    (workers !== undefined && workers.cases.some(({failures}) => failures > 0)) ||
    (scrape !== undefined && scrape.failures > 0) ||
    admission.some(({cases}) => cases.some(({failures}) => failures > 0)) ||
    (audit !== undefined &&
      (audit.whole.missing > 0 ||
        audit.whole.outOfOrder > 0 ||
        audit.hanging.failures > 0 ||
        audit.cases.some(({failures}) => failures > 0)));
  if (failed) process.exitCode = 1;
}

main().catch((error: unknown) => {
  console.error(`bench: ${error instanceof Error ? error.message : String(error)}`);
  process.exitCode = 1;
});
