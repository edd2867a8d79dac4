import test from 'ava';
import {orch} from '../../../core/api/naming/orch.js';
import {Bindings} from '../../../core/kernel/bindings.js';
import type {KernelOptions} from '../../../core/kernel/kernel.js';
import {systemClock} from '../../../sdk/controllers/index.js';
import {Tokens, type ResourceClient} from '../../../sdk/index.js';

// What does not compile is what is tested: the type check refuses a directive that no error needs.
test('a token takes values of its own type only', (t) => {
  const values = new Bindings()
    .value(Tokens.Naming, orch)
    .perPlugin(Tokens.Clock, () => systemClock)
    .perController(Tokens.Resources, () => ({}) as ResourceClient);
  t.deepEqual([...values.forPlugins.keys()], [Tokens.Naming, Tokens.Clock]);
  t.deepEqual([...values.forControllers.keys()], [Tokens.Resources]);

  // @ts-expect-error A clock is no naming profile.
  values.value(Tokens.Naming, systemClock);
  // @ts-expect-error A name is no clock.
  values.perPlugin(Tokens.Clock, (plugin) => plugin);
  // @ts-expect-error A promise of a naming profile is none.
  values.perPlugin(Tokens.Naming, async () => orch);
  // @ts-expect-error A declaration is no client.
  values.perController(Tokens.Resources, (_plugin, controller) => controller);
  // @ts-expect-error A map says nothing of types.
  const options: Partial<KernelOptions> = {values: new Map([[Tokens.Naming, () => systemClock]])};
  t.truthy(options);
});
