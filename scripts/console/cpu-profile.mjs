import {once} from 'node:events';
import {WebSocket} from 'ws';

/** Begins to profile the processor of a page. @returns ends it, and answers the profile */
export async function profilePage(page) {
  const session = await page.context().newCDPSession(page);
  return profileBy((method) => session.send(method));
}

/** As `profilePage`, for a process of Node.js. @param inspector the address of its inspector */
export async function profileProcess(inspector) {
  const socket = new WebSocket(inspector);
  await once(socket, 'open');
  let number = 0;
  const ask = (method) =>
    new Promise((answered) => {
      const id = ++number;
      const take = (data) => {
        const message = JSON.parse(data.toString());
        if (message.id !== id) return;
        socket.off('message', take);
        answered(message.result);
      };
      socket.on('message', take).send(JSON.stringify({id, method}));
    });
  const end = await profileBy(ask);
  return async () => {
    const profile = await end();
    socket.close();
    return profile;
  };
}

async function profileBy(ask) {
  await ask('Profiler.enable');
  await ask('Profiler.start');
  return async () => (await ask('Profiler.stop')).profile;
}

/** Where a profile spent its time: a line for each of the functions with most of it. */
export function profileLines({nodes, samples, timeDeltas}, most = 12) {
  const named = new Map(nodes.map(({id, callFrame}) => [id, callFrame]));
  const times = new Map();
  let all = 0;
  for (const [index, id] of samples.entries()) {
    const {functionName, url, lineNumber, columnNumber} = named.get(id);
    const place = url === '' ? '' : ` ${url.slice(url.lastIndexOf('/') + 1)}:${lineNumber + 1}:${columnNumber + 1}`;
    const key = `${functionName || '(anonymous)'}${place}`;
    times.set(key, (times.get(key) ?? 0) + timeDeltas[index]);
    all += timeDeltas[index];
  }
  return [...times]
    .sort(([, left], [, right]) => right - left)
    .slice(0, most)
    .map(([key, time]) => `${((time / all) * 100).toFixed(1).padStart(5)} %  ${key}`);
}
