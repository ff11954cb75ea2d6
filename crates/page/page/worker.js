"use strict";
// The evaluator by itself: gets lists of questions, sends lists of answers, both JSON texts.
let evaluator = null;

function ask(question) {
  const { memory, allocate, ask, answer_bytes } = evaluator;
  const text = new TextEncoder().encode(question);
  const place = allocate(text.length);
  new Uint8Array(memory.buffer, place, text.length).set(text);
  const answer = ask(place, text.length);
  return new TextDecoder().decode(new Uint8Array(memory.buffer, answer, answer_bytes()));
}

async function start({ bytes, models }) {
  const { instance } = await WebAssembly.instantiate(bytes, {});
  evaluator = instance.exports;
  return models.map(ask);
}

onmessage = async ({ data }) => {
  try {
    const before = performance.now();
    const answers = data.bytes ? await start(data) : data.questions.map(ask);
    postMessage({ id: data.id, answers, ms: performance.now() - before });
  } catch (error) {
    postMessage({ id: data.id, failed: String(error) });
  }
};
