console.log("harm: loaded");
