import {useEffect} from 'preact/hooks';
import {discover, findType, resourceTypes} from '../api/discovery.js';
import {place} from '../api/location.js';
import {loadNamespaces} from '../api/namespaces.js';
import {groupOfPart} from '../api/places.js';
import {loadPluginViews, viewsOf} from '../api/plugin-views.js';
import {impersonated, user} from '../api/session.js';
import {lazyView} from '../parts/lazy-view.js';
import {Layout} from './layout.js';
import {ListView} from './list-view.js';
import {SignIn} from './sign-in.js';
import {TypesView} from './types-view.js';

/** Lists are what the first load is for; everything else comes when it is first shown. */
const ObjectView = lazyView(async () => (await import('./object-view.js')).ObjectView);
const AccessView = lazyView(async () => (await import('./access-view.js')).AccessView);
const PluginPage = lazyView(async () => (await import('./plugin-page.js')).PluginPage);
const ServerView = lazyView(async () => (await import('./server/server-view.js')).ServerView);
const ClusterView = lazyView(async () => (await import('./cluster/cluster-view.js')).ClusterView);
const PlaygroundView = lazyView(async () => (await import('./playground-view.js')).PlaygroundView);
const WhyView = lazyView(async () => (await import('./why-view.js')).WhyView);
const LogsView = lazyView(async () => (await import('./cluster/logs-view.js')).LogsView);

/** Pauses between attempts to find out which types there are. */
const retryMillis = 2000;

export function App() {
  const name = user.value?.username;
  useEffect(() => {
    if (name === undefined) return;
    let timer: ReturnType<typeof setTimeout>;
    const look = () =>
      discover().catch(() => {
        timer = setTimeout(() => void look(), retryMillis);
      });
    void look();
    void loadNamespaces();
    void loadPluginViews().catch(() => undefined);
    return () => clearTimeout(timer);
  }, [name]);
  if (name === undefined) return <SignIn />;
  return (
    <Layout>
      <View key={impersonated.value?.username} />
    </Layout>
  );
}

/** The view that the address names. */
function View() {
  const [view = 'types', group = '', resource = '', namespace = '', name = ''] = place.value.parts;
  document.title = `${name || resource || view} · Orch console`;
  if (view === 'types') return <TypesView />;
  if (view === 'server') return <ServerView />;
  if (view === 'access') return <AccessView />;
  if (view === 'cluster') return <ClusterView />;
  if (view === 'logs') return <LogsView key={`${group}/${resource}`} namespace={group} name={resource} />;
  if (view === 'why') return <WhyView />;
  if (view === 'playground') return <PlaygroundView />;
  if (view !== 'objects' && view !== 'object') return <p class="empty">There is nothing at this address.</p>;
  if (resourceTypes.value === undefined)
    return (
      <p class="empty" role="status">
        Loading
      </p>
    );
  const type = findType(groupOfPart(group), resource);
  if (!type) return <p class="empty">The server has no such type.</p>;
  const own = viewsOf(type).find(({title}) => title === place.value.query['view']);
  if (view === 'objects' && own) return <PluginPage type={type} view={own} />;
  if (view === 'objects') return <ListView key={`${group}/${resource}`} type={type} />;
  return <ObjectView key={place.value.parts.join('/')} type={type} namespace={namespace === '-' ? '' : namespace} name={name} />;
}
