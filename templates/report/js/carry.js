// The unit that was asked about can be dragged: where it is let go, the desk says whether it may.

let carrying = null;

function beginCarrying(hex) {
  if (hex < 0 || !asked || asked.answer.error || position.spot[asked.unit] !== hex) return;
  carrying = { unit: asked.unit, node: face(asked.unit) };
  carrying.node.classList.add("carried");
}

function carryTo(hex) {
  if (hex < 0) return;
  const [x, y] = center(hex);
  place(carrying.node, x - COUNTER / 2, y - COUNTER / 2, 90);
  if (!carrying.node.isConnected) counterLayer.append(carrying.node);
}

function endCarrying() {
  const unit = carrying ? carrying.unit : null;
  carrying?.node.remove();
  carrying = null;
  return unit;
}
