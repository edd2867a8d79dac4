import {useEffect, useRef} from 'preact/hooks';
import {findType, knownTypes} from '../api/discovery.js';
import {goTo} from '../api/location.js';
import {namespace} from '../api/namespaces.js';
import {listHref, objectHref} from '../api/places.js';
import type {PluginView} from '../api/plugin-views.js';
import {request} from '../api/request.js';
import {isDeclared, isOfType, pathOf, readCall} from '../api/view-calls.js';
import type {FrameAnswer} from '../frame/frame.js';
import {theme} from '../parts/theme.js';

/** Requests of a view at once; more are refused. */
const mostAtOnce = 20;

/**
 * The frame of a view that a plugin brings. It has an origin of its own and may send nothing by itself: what it asks for is looked at, has to be declared in the manifest, and is sent as the user. Of
 * the console it gets the answers, the namespace and the theme.
 */
export function PluginFrame({view, class: kind}: {readonly view: PluginView; readonly class: 'page' | 'card'}) {
  const frame = useRef<HTMLIFrameElement>(null);
  const ended = useRef(new AbortController());
  useEffect(() => () => ended.current.abort(), []);
  const begin = () => {
    const {port1, port2} = new MessageChannel();
    let running = 0;
    const answer = async (data: unknown) => {
      const id = Number((data as {id?: unknown} | null)?.id);
      const say = (said: Omit<FrameAnswer, 'id'>) => port1.postMessage({id, ...said});
      if (running >= mostAtOnce) return say({error: 'too many requests at once'});
      running += 1;
      try {
        say({answer: await callFor(view, data, ended.current.signal)});
      } catch (error) {
        say({error: error instanceof Error ? error.message : String(error)});
      } finally {
        running -= 1;
      }
    };
    port1.onmessage = ({data}: MessageEvent<unknown>) => void answer(data);
    // The frame's origin has no name; what is in it can only be of this server, by the policy of the page.
    frame.current!.contentWindow!.postMessage({module: view.module, namespace: namespace.value, theme: theme.value}, '*', [port2]);
  };
  return (
    <iframe
      key={`${view.module} ${namespace.value} ${theme.value}`}
      ref={frame}
      class={`plugin ${kind}`}
      title={view.title}
      sandbox="allow-scripts"
      src="/console/frame.html"
      onLoad={begin}
    />
  );
}

async function callFor(view: PluginView, data: unknown, signal: AbortSignal): Promise<unknown> {
  if ((data as {action?: unknown} | null)?.action === 'open') return openObject((data as {target?: unknown}).target);
  const call = readCall(data);
  if (!isDeclared(call, view.permissions))
    throw new Error(`the manifest of the plugin ${view.plugin} does not say that its view may ${call.verb} ${call.resource}`);
  const {verb, group, resource, body} = call;
  await knownTypes();
  if (!isOfType(call, findType(group, resource.split('/')[0]!))) throw new Error(`the server has no ${resource} such as these`);
  const method = {get: 'GET', list: 'GET', create: 'POST', update: 'PUT', patch: 'PATCH', delete: 'DELETE', deletecollection: 'DELETE'}[
    verb
  ];
  const type = verb === 'patch' ? 'application/merge-patch+json' : 'application/json';
  const response = await request(pathOf(call), {method, type, ...(body === undefined ? {} : {body}), signal});
  // Logs are texts.
  return /\bjson\b/.test(response.headers.get('content-type') ?? '') ? response.json() : response.text();
}

function openObject(target: unknown): void {
  const {group, resource, namespace: place, name} = readCall({action: 'get', target});
  const type = findType(group, resource);
  if (type) goTo(name === '' ? listHref(type, {namespace: place}) : objectHref(type, {namespace: place, name}));
}
