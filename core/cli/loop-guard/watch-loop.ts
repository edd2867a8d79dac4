import type {Debugger, Session} from 'node:inspector';

/** The loop that the thread watches. */
export interface WatchedLoop {
  /** Grows while the loop turns. */
  readonly beats: Int32Array;
  readonly limitMillis: number;
  readonly logFile: string | undefined;
  readonly asText: boolean;
  readonly plugins: readonly {readonly name: string; readonly place: string}[];
}

/**
 * The code of the thread. It is run from its source, so it must not use anything from outside.
 *
 * The loop counts as blocked when it has not turned during several successive waits: a pause of the whole process ends only one of them.
 */
export function watchLoop(): void {
  const {workerData} = process.getBuiltinModule('node:worker_threads');
  const {beats, limitMillis, logFile, asText, plugins} = workerData as WatchedLoop;
  const {appendFileSync, writeSync} = process.getBuiltinModule('node:fs');
  const {Session: InspectorSession} = process.getBuiltinModule('node:inspector');
  /** Waits that make up the limit; the signal handlers are removed after half of them. */
  const waits = 8;
  const part = Math.max(50, limitMillis / waits);
  /** How long V8 has to answer; code that it cannot interrupt is not named. */
  const answerMillis = 10_000;
  let last = Atomics.load(beats, 0);
  let still = 0;
  /** Addresses of scripts by their numbers, by which frames name them. */
  const urls = new Map<string, string>();
  // A thread that waits for messages would not be asked: it must sleep by itself.
  const look = (): void => {
    Atomics.wait(beats, 0, last, part);
    const now = Atomics.load(beats, 0);
    still = now === last ? still + 1 : 0;
    last = now;
    if (still === waits / 2) giveSignalsBack();
    if (still >= waits) return end();
    setImmediate(look);
  };
  setImmediate(look);

  function interrupted(then: (session: Session, frames: Debugger.CallFrame[], done: () => void) => void): void {
    const session = new InspectorSession();
    session.on('Debugger.scriptParsed', ({params: {scriptId, url}}) => urls.set(scriptId, url));
    try {
      session.connectToMainThread();
    } catch {
      return then(session, [], () => undefined);
    }
    session.once('Debugger.paused', ({params}) => {
      then(session, params.callFrames, () => {
        session.post('Debugger.resume');
        session.post('Debugger.disable');
        setTimeout(() => session.disconnect(), 100);
      });
    });
    session.post('Debugger.enable');
    session.post('Debugger.pause');
  }

  /** Removes the handlers of signals, which only run when the loop turns. */
  function giveSignalsBack(): void {
    interrupted((session, [frame], done) => {
      if (!frame) return done();
      const expression = "['SIGTERM', 'SIGINT'].forEach((signal) => process.removeAllListeners(signal))";
      session.post('Debugger.evaluateOnCallFrame', {callFrameId: frame.callFrameId, expression, silent: true}, done);
    });
  }

  function end(): void {
    const giveUp = setTimeout(() => report([], () => process.kill(process.pid, 'SIGKILL')), answerMillis);
    interrupted((session, frames) => {
      clearTimeout(giveUp);
      report(frames, () => {
        const [frame] = frames;
        if (frame)
          session.post('Debugger.evaluateOnCallFrame', {callFrameId: frame.callFrameId, expression: 'process.reallyExit(1)', silent: true});
        // The process only exits once no debugger is attached.
        setTimeout(() => session.disconnect(), 100);
        setTimeout(() => process.kill(process.pid, 'SIGKILL'), answerMillis);
      });
    });
  }

  function report(frames: readonly Debugger.CallFrame[], then: () => void): void {
    const framed = frames.map((frame) => ({...frame, url: urls.get(frame.location.scriptId) ?? frame.url}));
    const places = framed.map(({url, functionName, location}) => ({
      url,
      text: `    at ${functionName || '<anonymous>'} (${url}:${location.lineNumber + 1}:${(location.columnNumber ?? 0) + 1})`,
    }));
    const plugin = places.flatMap(({url}) => plugins.find(({place}) => url.startsWith(place))?.name ?? [])[0];
    const milliseconds = Math.round(still * part);
    const msg = 'the server ends because its event loop stands still';
    const stack = [`Error: ${msg}`, ...places.slice(0, 20).map(({text}) => text)].join('\n');
    const time = new Date().toISOString();
    const fields = {
      level: 'error',
      time,
      ...(plugin === undefined ? {} : {plugin}),
      milliseconds,
      err: {type: 'Error', message: msg, stack},
      msg,
    };
    const line = asText
      ? `${time.slice(11, 23)} ERROR ${msg}  ${plugin === undefined ? '' : `plugin=${plugin} `}milliseconds=${milliseconds}\n${stack}\n`
      : `${JSON.stringify(fields)}\n`;
    try {
      if (logFile === undefined) writeSync(2, line);
      else appendFileSync(logFile, line);
    } finally {
      then();
    }
  }
}
