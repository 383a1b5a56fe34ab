// SPDX-License-Identifier: MIT
// Type declarations of the compiled module, read from the C++ that declares and registers them. Emscripten's own
// --emit-tsd would do, but it runs whatever tsc it finds on PATH with the ambient types it finds
// beside itself, and fails on both.

const numbers = ['double', 'float', 'uint32_t', 'int32_t'];

/** @returns {string} the declarations; throws when a signature uses a type that cannot cross. */
export function bindingTypes({ bindings, calls, replies }) {
  const enums = new Map();
  for (const [, cpp, name, values] of bindings.matchAll(
    /enum_<([\w:]+)>\("(\w+)"\)((?:\s*\.value\("\w+", [\w:]+\))+);/g,
  )) {
    enums.set(cpp, { name, values: [...values.matchAll(/\.value\("(\w+)"/g)].map((m) => m[1]) });
  }
  const structs = new Map();
  for (const [, name, body] of replies.matchAll(/struct (\w+) \{([^}]*)\};/g)) {
    const members = [...body.matchAll(/^\s*([\w:]+) (\w+);/gm)].map((m) => [m[2], m[1]]);
    structs.set(name, new Map(members));
  }

  const typeOf = (cpp, where) => {
    if (numbers.includes(cpp)) return 'number';
    if (cpp === 'bool') return 'boolean';
    if (cpp === 'void') return 'void';
    if (enums.has(cpp)) return enums.get(cpp).name;
    if (structs.has(cpp)) return cpp;
    throw new Error(`${where}: the type ${cpp} cannot cross the boundary`);
  };

  const lines = ['// Generated from cpp/wasm/bindings.cc by the build. Not to be edited.', ''];
  for (const { name } of enums.values()) {
    lines.push(`declare const is${name}: unique symbol;`);
    lines.push(`export interface ${name} { readonly value: number; readonly [is${name}]: true }`);
  }
  for (const [, cpp, name, fields] of bindings.matchAll(
    /value_object<(\w+)>\("(\w+)"\)((?:\s*\.field\("\w+", &[\w:]+\))+);/g,
  )) {
    lines.push('', `export interface ${name} {`);
    for (const [, field, member] of fields.matchAll(/\.field\("(\w+)", &\w+::(\w+)\)/g)) {
      const type = structs.get(cpp)?.get(member);
      if (type === undefined) throw new Error(`${cpp} has no member ${member}`);
      lines.push(`  ${field}: ${typeOf(type, `${cpp}::${member}`)};`);
    }
    lines.push('}');
  }

  lines.push('', 'export interface HeedModule {');
  for (const { name, values } of enums.values()) {
    lines.push(`  readonly ${name}: {`);
    lines.push(...values.map((value) => `    readonly ${value}: ${name};`), '  };');
  }
  const registered = [...bindings.matchAll(/function\("(\w+)", &calls::(\w+)\);/g)];
  if (registered.length === 0) throw new Error('bindings.cc registers no function');
  for (const [, name, cpp] of registered) {
    const match = calls.match(new RegExp(`^([\\w:]+) ${cpp}\\(([^)]*)\\);`, 'm'));
    if (match === null) throw new Error(`calls.h does not declare ${cpp}`);
    const parameters = match[2]
      .split(',')
      .map((parameter) => parameter.trim())
      .filter((parameter) => parameter !== '')
      .map((parameter) => {
        const [type, parameterName] = parameter.split(/\s+/);
        return `${camelCase(parameterName)}: ${typeOf(type, cpp)}`;
      });
    lines.push(`  ${name}(${parameters.join(', ')}): ${typeOf(match[1], cpp)};`);
  }
  lines.push(
    '}',
    '',
    'export interface ModuleOptions {',
    '  wasmMemory: WebAssembly.Memory;',
    '  instantiateWasm(',
    '    imports: WebAssembly.Imports,',
    '    done: (instance: WebAssembly.Instance) => void,',
    '  ): WebAssembly.Exports;',
    '  print?(text: string): void;',
    '  printErr?(text: string): void;',
    '}',
    '',
    'export default function createHeedModule(options: ModuleOptions): Promise<HeedModule>;',
    '',
  );
  return lines.join('\n');
}

function camelCase(name) {
  return name.replace(/_(\w)/g, (_, letter) => letter.toUpperCase());
}
