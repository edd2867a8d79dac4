import test from 'ava';
import {OtlpExporter} from '../../../core/tracing/otlp-exporter.js';
import {RequestTrace} from '../../../core/tracing/request-trace.js';
import type {FinishedTrace} from '../../../core/tracing/tracer.js';
import {eventually} from '../../helpers/eventually.js';
import {hostileService, manners} from '../../helpers/hostile-service.js';
import {recordingLogger} from '../../helpers/recording-logger.js';
import {traceCollector} from '../../helpers/trace-collector.js';

/** Two spans. */
function finished(name: string): FinishedTrace {
  const trace = new RequestTrace(performance.now(), 0);
  trace.context = {traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), parentId: undefined, link: undefined};
  trace.step('work');
  return {trace, name, attributes: {long: 'x'.repeat(1000)}, ended: performance.now(), failed: true};
}

const sum = ({exported, dropped, failed}: OtlpExporter['figures']) => exported + dropped + failed;

test('spans wait for others and go out together; texts of attributes are cut, failures marked', async (t) => {
  const collector = await traceCollector(t);
  const {logger} = recordingLogger();
  const exporter = new OtlpExporter({
    url: new URL(`http://${collector.endpoint}/v1/traces`),
    resource: {},
    version: '1',
    logger,
    delayMillis: 20,
  });
  for (let index = 0; index < 10; index += 1) exporter.add(finished(`number ${index}`));
  await eventually(
    () => exporter.figures.exported,
    (count) => count === 20,
  );
  t.is(collector.paths.length, 1);
  t.is((collector.spans[0]!.attributes['long'] as string).length, 256);
  t.deepEqual(collector.spans[0]!.status, {code: 2});
  await exporter.close();
});

test('of a collector that hangs, no more spans wait than may; the others are dropped and counted, and closing does not wait for it', async (t) => {
  const collector = await traceCollector(t);
  collector.answer = () => undefined;
  const {logger} = recordingLogger();
  const exporter = new OtlpExporter({
    ...{url: new URL(`http://${collector.endpoint}/v1/traces`), resource: {}, version: '1', logger},
    delayMillis: 0,
    maximumQueued: 100,
  });
  exporter.add(finished('first'));
  await eventually(
    () => collector.paths.length,
    (count) => count === 1,
  );
  for (let index = 0; index < 1000; index += 1) exporter.add(finished('later'));
  t.deepEqual(exporter.figures, {exported: 0, dropped: 1900, failed: 0});
  t.is(collector.paths.length, 1, 'one export at a time');
  const began = performance.now();
  await exporter.close(50);
  t.true(performance.now() - began < 2000);
  t.deepEqual(exporter.figures, {exported: 0, dropped: 2000, failed: 2});
  exporter.add(finished('too late'));
  t.is(sum(exporter.figures), 2004);
});

test('a collector that does not answer in time, or answers with a failure, is told of once, and once it takes traces again', async (t) => {
  const collector = await traceCollector(t);
  const {logger, lines} = recordingLogger();
  const exporter = new OtlpExporter({
    ...{url: new URL(`http://${collector.endpoint}/v1/traces`), resource: {}, version: '1', logger},
    ...{delayMillis: 0, timeoutMillis: 50},
  });
  collector.answer = () => undefined;
  exporter.add(finished('late'));
  await eventually(
    () => exporter.figures.failed,
    (count) => count === 2,
  );
  collector.answer = (response) => void response.writeHead(503).end();
  exporter.add(finished('refused'));
  await eventually(
    () => exporter.figures.failed,
    (count) => count === 4,
  );
  collector.answer = (response) => void response.end();
  let tried = exporter.figures.failed;
  // On a busy machine even this one may come too late.
  await eventually(
    () => {
      const {exported, failed} = exporter.figures;
      if (failed === tried) exporter.add(finished(`try after ${(tried += 2)}`));
      return exported;
    },
    (count) => count > 0,
  );
  t.deepEqual(
    lines.map(({level, message}) => `${level}: ${message}`),
    ['warn: traces cannot be exported; they are dropped and counted', 'info: traces are exported again'],
  );
  await exporter.close();
});

test('a trace that grows while it waits leaves no room for more than may wait', async (t) => {
  const collector = await traceCollector(t);
  const {logger} = recordingLogger();
  const exporter = new OtlpExporter({
    ...{url: new URL(`http://${collector.endpoint}/v1/traces`), resource: {}, version: '1', logger},
    ...{delayMillis: 20, maximumQueued: 10},
  });
  // Work for a request that was answered too late ends after its answer.
  const late = finished('late');
  exporter.add(late);
  for (let part = 0; part < 50; part += 1) late.trace.step('more work');
  await eventually(
    () => exporter.figures.exported,
    (count) => count > 0,
  );
  collector.answer = () => undefined;
  for (let index = 0; index < 20; index += 1) exporter.add(finished('next'));
  t.is(exporter.figures.dropped, 30);
  await exporter.close(50);
});

test('of a collector that does everything wrong, spans are lost, and those that come later are taken', async (t) => {
  let name = '';
  const collector = await hostileService(t, () => ({}), {isPlain: true, mannerOf: () => name});
  const {logger} = recordingLogger();
  const exporter = new OtlpExporter({
    ...{url: new URL(`${collector.url}/v1/traces`), resource: {}, version: '1', logger},
    delayMillis: 0,
    timeoutMillis: 1500,
  });
  let count = 0;
  for (name of Object.keys(manners)) {
    exporter.add(finished(name));
    count += 2;
    await eventually(
      () => sum(exporter.figures),
      (spans) => spans === count,
    );
  }
  name = 'right';
  const {exported} = exporter.figures;
  exporter.add(finished('last'));
  await eventually(
    () => exporter.figures.exported,
    (spans) => spans === exported + 2,
  );
  t.is(sum(exporter.figures), count + 2);
  await exporter.close();
});
