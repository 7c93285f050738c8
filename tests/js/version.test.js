import assert from "node:assert/strict";
import test from "node:test";

import { KEPT, versionIn } from "../../src/damier/server/client/net/version.js";

test("the version is the digest in a module's address", () => {
  assert.equal(versionIn("http://localhost:8000/static/0123456789ab/net/version.js"), "0123456789ab");
  assert.equal(versionIn("http://localhost:8000/static/net/version.js"), undefined);
  assert.equal(versionIn("http://localhost:8000/static/0123456789AB/net/version.js"), undefined);
});

test("without a version nothing is added to a query", () => assert.deepEqual(KEPT, {}));
