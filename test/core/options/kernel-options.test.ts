import test from 'ava';
import {KernelError} from '../../../core/kernel/kernel-error.js';
import {kernelOptions, optionName} from '../../../core/options/kernel-options.js';

test('[B-GRP-3] runtime settings are a list of keys with or without a value', (t) => {
  const {runtimeConfig} = kernelOptions({
    runtimeConfig: ['apps/v1=false,batch/v1', 'api/beta=true'],
    configuration: {runtimeConfig: {'apps/v1': true, 'x/v1': false}},
  });
  t.deepEqual(Object.fromEntries(runtimeConfig), {'apps/v1': false, 'x/v1': false, 'batch/v1': true, 'api/beta': true});
  const problems = kernelOptions({runtimeConfig: ['apps/v1=perhaps', '=true']}).check!([]);
  t.deepEqual(
    problems.map(({code, path}) => [code, path]),
    [
      ['RUNTIME_CONFIG_INVALID', 'runtimeConfig'],
      ['RUNTIME_CONFIG_INVALID', 'runtimeConfig'],
    ],
  );
});

test('messages call options by their flags', (t) => {
  t.is(optionName('enableAdmissionPlugins'), '--enable-admission-plugins');
  t.is(optionName('plugins'), '--plugin');
  t.is(optionName('store'), '--store');
});

test('a configuration that is not valid is refused before any manifest is read', (t) => {
  const error = t.throws(() => kernelOptions({configuration: {securePort: 'x'} as never, pluginRoots: ['/nowhere']}));
  t.true(KernelError.is(error));
  t.is((error as KernelError).problems[0]!.code, 'CONFIGURATION_INVALID');
});
