import {readMetrics} from '../../api/metrics.js';
import type {Reading} from '../../api/samples.js';
import {RefusalNotice} from '../../parts/notice.js';
import {Scroll} from '../../parts/scroll.js';
import {chosenTab, TabList} from '../../parts/tab-list.js';
import {usePolled} from '../../parts/use-polled.js';
import {AuditTab} from './audit-tab.js';
import {Curves} from './curves.js';
import {FlagsTab} from './flags-tab.js';
import {Checks, VersionTable} from './health.js';
import {LevelsTab} from './levels-tab.js';
import {PluginsTab} from './plugins-tab.js';
import {SlowTab} from './slow-tab.js';
import {StoreTab} from './store-tab.js';

/** How often `/metrics` is read while the server is looked at. */
const readMillis = 3000;
/** Readings that are kept: ten minutes. */
const mostReadings = 200;

const tabs = {
  now: 'Now',
  store: 'Store',
  levels: 'Priority levels',
  slow: 'Slow requests',
  audit: 'Audit log',
  plugins: 'Plugins',
  flags: 'Flags',
} as const;

/** What the server is, how it is set up, and how it does. */
export function ServerView() {
  const tab = chosenTab(tabs);
  const {value: readings = [], error} = usePolled<readonly Reading[]>(
    async (signal, before = []) => [...before.slice(1 - mostReadings), await readMetrics(signal)],
    readMillis,
  );
  const refused = error !== undefined && <RefusalNotice error={error} />;
  return (
    <>
      <div class="bar">
        <h1>Server</h1>
      </div>
      <TabList label="About the server" tabs={tabs} tab={tab} />
      <div class="tab" role="tabpanel" id="tab" aria-labelledby={`tab-${tab}`}>
        <Scroll key={tab} label={tabs[tab]}>
          {tab === 'now' && (
            <>
              <VersionTable />
              <h2>Health</h2>
              <Checks />
              <h2>Metrics</h2>
              {refused}
              {(!refused || readings.length > 0) && <Curves readings={readings} />}
            </>
          )}
          {tab === 'store' && <StoreTab latest={readings.at(-1)} />}
          {tab === 'levels' && (
            <>
              {refused}
              <LevelsTab readings={readings} />
            </>
          )}
          {tab === 'slow' && <SlowTab />}
          {tab === 'audit' && <AuditTab />}
          {tab === 'plugins' && <PluginsTab />}
          {tab === 'flags' && <FlagsTab />}
        </Scroll>
      </div>
    </>
  );
}
